import type { Scope, UserRole } from '../../domain/scope.ts';
import type { Reach } from '../../store/queries/reach.ts';

/** Who makes a request, with what they may do now (spec 3). */
export interface Principal {
  user: string;
  /**
   * A contact on the chat page: `user` is the contact, who is no user, so that their messages name
   * none (spec 10.2).
   */
  isContact?: true;
  organization: string;
  role: UserRole;
  /** The lower of what the token and the role give. */
  scope: Scope;
  reach: Reach;
  /** What the token belongs to: a family of tokens, an API key, or an ingest address. */
  credential: { family: string } | { apiKey: string } | { ingest: string };
  /** The request's traceparent, if it is traced. */
  trace?: string;
}
