/** Types of services that carry messages (spec 15.1). */
export const CHANNEL_TYPES = ['api', 'twilio', 'email'] as const;
export type ChannelType = (typeof CHANNEL_TYPES)[number];

export function isChannelType(type: string): type is ChannelType {
  return CHANNEL_TYPES.some((one) => one === type);
}

/** Why a channel may not send to an identity (spec 15.3). */
export const BARS = ['opted_out', 'unreachable'] as const;
export type Bar = (typeof BARS)[number];

/** A channel service of the organization, and the contact's address there. */
export interface ChannelFacts {
  id: string;
  type: string;
  touchpoint: string;
  address?: string | undefined;
  barred?: Bar | undefined;
}

export interface CarrierFacts {
  /** Whether the request named a touchpoint. Without it, `touchpoint` is the default. */
  named: boolean;
  services: ChannelFacts[];
}
