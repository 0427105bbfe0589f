/** Configured codes (spec 1.4). */
export interface TouchpointCodes {
  socialMessenger: string;
  chatApp: string;
}

export const FIXED_TOUCHPOINTS = ['web', 'email', 'sms', 'video'] as const;

/** Codes beside the two configured codes, which may be one of these. */
const FURTHER_TOUCHPOINTS = ['telegram', 'instagram'] as const;

export const DEFAULT_TOUCHPOINT = 'web';

/** Excludes video (spec 6.1). */
export function messageTouchpoints({ socialMessenger, chatApp }: TouchpointCodes): string[] {
  return [...new Set(['web', 'email', 'sms', socialMessenger, chatApp, ...FURTHER_TOUCHPOINTS])];
}

export function conversationTouchpoints(codes: TouchpointCodes): string[] {
  return [...messageTouchpoints(codes), 'video'];
}

/** Touchpoints that a channel service can carry: the chat page carries web by itself. */
export function channelTouchpoints(codes: TouchpointCodes): string[] {
  return messageTouchpoints(codes).filter((code) => code !== DEFAULT_TOUCHPOINT);
}

/** Maximum services of one touchpoint. A further service replaces the oldest. */
export const MAX_TOUCHPOINT_SERVICES = 20;
