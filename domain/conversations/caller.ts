/** `role` is the role of the user. */
export interface Caller {
  user: string;
  role: 'viewer' | 'agent' | 'bot' | 'admin';
  /** Only `message` counts for the bot-loop rules (spec 6.10). */
  origin: 'message' | 'upsert' | 'event';
  trace?: string;
}
