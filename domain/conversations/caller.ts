/** Who asked, as far as the rules care. `role` is the user's role in the organization, not the role of a message. */
export interface Caller {
  user: string;
  role: 'viewer' | 'agent' | 'bot' | 'admin';
  /** Which door it came through: only messages posted as such count for the bot-loop rules (spec 6.10). */
  origin: 'message' | 'upsert' | 'event';
  /** Where his request is in a trace (a traceparent), if it is traced: of no interest to the rules, and carried on to what follows. */
  trace?: string;
}
