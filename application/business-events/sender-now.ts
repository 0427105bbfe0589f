import { unprocessable } from '../../domain/refusal.ts';
import { includesScope, lowerScope, toScope } from '../../domain/scope.ts';
import { findAccount } from '../../store/accounts/users.ts';
import { isWithinReach } from '../../store/queries/reach.ts';
import type { EventDocument } from '../../store/records/business-events.ts';

type Sender = EventDocument['caller'];

/**
 * The sender of a stored event with the rights that they have both then and now (spec 8.3): the
 * lower scope, the narrower reach, the role of now. Throws DomainError `unprocessable` where the
 * sender is gone, may not send events any more, or has moved to an organization beside.
 */
export async function refreshSender(sender: Sender): Promise<Sender> {
  const user = await findAccount({ _id: sender.user });
  if (!user) throw invalidSenderError('has been removed');
  const scope = lowerScope(sender.scope, toScope(user.role));
  if (!includesScope(scope, 'bot'))
    throw invalidSenderError(`may not send events any more (role ${user.role})`);
  return { ...sender, role: user.role, scope, organization: await chooseNarrower(sender.organization, user) };
}

// An expression of the organization of then must not reach more by a user who was moved.
async function chooseNarrower(then: string, { organization }: { organization: string }): Promise<string> {
  if (await isWithinReach({ organization }, then)) return then;
  if (await isWithinReach({ organization: then }, organization)) return organization;
  throw invalidSenderError('belongs to another organization now');
}

function invalidSenderError(reason: string) {
  return unprocessable(`The user who sent the event ${reason}. Send the event again as another user.`);
}
