import { unlessChanged } from '../../records/unless-changed.ts';
import type { Answer, Api, ApiRequest } from '../../request.ts';
import { changingMessage, standOf } from './changing.ts';

/** DELETE /messages/{id}; one that waits for its time is cancelled (spec 6.3). */
export async function removeMessage(request: ApiRequest, api: Api): Promise<Answer> {
  const { principal, ids } = request;
  const { user, role } = principal;
  const caller = { user, role, origin: 'message' as const };
  // If it is gone meanwhile, all the better.
  await unlessChanged(request, changingMessage(request, api), ({ _id: message, conversation }, seen) =>
    api.temporal.conversations.remove(conversation, { id: ids.newId(), message, caller, ...standOf(seen) }),
  );
  return { status: 204 };
}
