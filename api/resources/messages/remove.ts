import { withIfMatch } from '../../records/unless-changed.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';
import { messageTarget, expectedVersion } from './changing.ts';

/** DELETE /messages/{id}; one that waits for its time is cancelled (spec 6.3). */
export async function removeMessage(request: ApiRequest, api: Api): Promise<HandlerResult> {
  const { principal, ids } = request;
  const { user, role } = principal;
  const caller = { user, role, origin: 'message' as const };
  // If it is gone meanwhile, all the better.
  await withIfMatch(request, messageTarget(request, api), ({ _id: message, conversation }, seen) =>
    api.temporal.conversations.remove(conversation, {
      id: ids.newId(),
      message,
      caller,
      ...expectedVersion(seen),
    }),
  );
  return { status: 204 };
}
