import type { Scope, UserRole } from '../domain/scope.ts';
import type { Reach } from '../store/queries/reach.ts';

/** Who makes a request, as he stands now (spec 3). */
export interface Principal {
  user: string;
  /** A contact on his page: `user` is the contact, who is no user, so that his messages name none (spec 10.2). */
  isContact?: true;
  organization: string;
  role: UserRole;
  /** The lower of what his token and his role give. */
  scope: Scope;
  reach: Reach;
  /** What the token belongs to: a family of tokens, or an API key. */
  credential: { family: string } | { apiKey: string };
  /** Where his request is in a trace (a traceparent), if it is traced. */
  trace?: string;
}
