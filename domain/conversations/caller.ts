/**
 * The caller of a request. `role` is the user's role in the organization, not the role of a
 * message.
 */
export interface Caller {
  user: string;
  role: 'viewer' | 'agent' | 'bot' | 'admin';
  /** Kind of request. Only `message` counts for the bot-loop rules (spec 6.10). */
  origin: 'message' | 'upsert' | 'event';
  /**
   * The request's traceparent, if it is traced. Carried along for deliveries and ignored by the
   * rules.
   */
  trace?: string;
}
