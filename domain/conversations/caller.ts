/**
 * Who asked, as far as the rules care. `role` is the user's role in the organization, not the role
 * of a message.
 */
export interface Caller {
  user: string;
  role: 'viewer' | 'agent' | 'bot' | 'admin';
  /**
   * Which door it came through: only messages posted as such count for the bot-loop rules (spec
   * 6.10).
   */
  origin: 'message' | 'upsert' | 'event';
  /**
   * The request's traceparent, if it is traced. The rules do not look at it; it is carried on to
   * what follows.
   */
  trace?: string;
}
