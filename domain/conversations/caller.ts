/** `role` is the user's role, not a message's. */
export interface Caller {
  user: string;
  role: 'viewer' | 'agent' | 'bot' | 'admin';
  /** Only `message` counts for the bot-loop rules (spec 6.10). */
  origin: 'message' | 'upsert' | 'event';
  trace?: string;
}
