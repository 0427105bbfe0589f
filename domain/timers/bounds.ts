/** Names of timers in an organization, with those it inherits (spec 14.1). */
export const MAX_TIMERS = 10;
