import type { Scope, UserRole } from '../domain/scope.ts';
import type { Reach } from '../store/reach.ts';

/** Who makes a request, as he stands now (spec 5). */
export interface Principal {
  user: string;
  organization: string;
  role: UserRole;
  /** The lower of what his token and his role give. */
  scope: Scope;
  reach: Reach;
  /** What the token belongs to: a family of tokens, or an API key. */
  credential: { family: string } | { apiKey: string };
}
