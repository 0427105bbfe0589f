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

/** Maximum services of one touchpoint. A further service replaces the oldest. */
export const MAX_TOUCHPOINT_SERVICES = 20;
