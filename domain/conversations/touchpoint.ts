import type { Effect } from './change.ts';
import type { ConversationState } from './conversation.ts';
import { SPOKEN_TYPES } from '../messages/message.ts';
import type { MessageDraft } from '../messages/message.ts';

/** Configured codes (spec 1.4). */
export interface TouchpointCodes {
  socialMessenger: string;
  chatApp: string;
}

export const FIXED_TOUCHPOINTS = ['web', 'email', 'sms', 'video'] as const;

export const DEFAULT_TOUCHPOINT = 'web';

/** Excludes video (spec 6.1). */
export function messageTouchpoints({ socialMessenger, chatApp }: TouchpointCodes): string[] {
  return ['web', 'email', 'sms', socialMessenger, chatApp];
}

export function conversationTouchpoints(codes: TouchpointCodes): string[] {
  return [...messageTouchpoints(codes), 'video'];
}

export const MAX_SERVICES = 20;

/**
 * A message by the contact, a service or a template activates its touchpoint. The contact's
 * touchpoint becomes selected, others only if no touchpoint is selected.
 */
export function touchpointEffects(state: ConversationState, draft: MessageDraft): Effect[] {
  if (!reachesContact(draft)) return [];
  const { touchpoints } = state;
  const known = Object.hasOwn(touchpoints, draft.touchpoint) ? touchpoints[draft.touchpoint] : undefined;
  const others = Object.entries(touchpoints).filter(([code]) => code !== draft.touchpoint);
  const taken = others.some(([, { selected }]) => selected);
  const selected = draft.role === 'contact' || (known?.selected ?? !taken);
  const services = servicesWith(known?.services ?? [], draft.service);
  if (known?.selected === selected && known.services === services) return [];
  return [
    ...others
      .filter((other) => selected && other[1].selected)
      .map(([code, other]): Effect => ({
        kind: 'touchpoint',
        code,
        touchpoint: { ...other, selected: false },
      })),
    { kind: 'touchpoint', code: draft.touchpoint, touchpoint: { services, selected } },
  ];
}

function reachesContact({ type, role, isBackchannel, service, meta }: MessageDraft): boolean {
  if (!SPOKEN_TYPES.includes(type) || isBackchannel) return false;
  return role === 'contact' || service !== undefined || meta?.['template'] != null;
}

function servicesWith(services: string[], service: string | undefined): string[] {
  if (service === undefined || services.includes(service)) return services;
  return [...services, service].slice(-MAX_SERVICES);
}
