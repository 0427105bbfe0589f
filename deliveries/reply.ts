import Type from 'typebox';
import type { Static } from 'typebox';
import type { Authority } from '../application/auth/authority.ts';
import { MAX_TOKEN_CHARACTERS, invalidTokenError } from '../application/auth/jwt.ts';
import { DomainError } from '../domain/errors.ts';
import { MAX_MESSAGES } from '../domain/messages/message.ts';
import { isRefusal } from '../domain/refusal.ts';
import type { PostingDeps } from '../application/posting/posting-context.ts';
import { messageInput } from '../application/schema/message-body.ts';
import { randomIds } from '../application/posting/id-generator.ts';
import { prepareMessages } from '../application/posting/prepare-messages.ts';
import { bodyCheck } from '../application/schema/check.ts';
import { assertStorable } from '../application/schema/json.ts';
import type { QueuedDelivery } from '../store/delivery/queue.ts';
import type { Reply } from './http/answer.ts';
import { blankTokens } from './http/blank-tokens.ts';
import { storeDate } from '../store/cluster/clock.ts';

export interface ReplyDeps {
  authority: Pick<Authority, 'authenticate'>;
  posting: PostingDeps;
}

/**
 * What became of a reply, in words for the service's owner. Not `settled`: it could not be posted
 * at the moment.
 */
export interface Replied {
  settled: boolean;
  words: string;
}

type RepliedDelivery = Pick<QueuedDelivery, '_id' | 'conversation'>;

const replyInput = Type.Object({
  messages: Type.Array(messageInput, { minItems: 1, maxItems: MAX_MESSAGES }),
});
const checkReply = bodyCheck(replyInput, 'whole') as (value: unknown) => Static<typeof replyInput>;

/**
 * Posts the messages of a reply as its token's user, with every check that the API makes (spec
 * 7.9). Nothing is looked at before the token was. A delivery's reply is posted once, however often
 * the delivery is made.
 */
export async function postReply(
  deps: ReplyDeps,
  { delivery, reply }: { delivery: RepliedDelivery; reply: Reply | DomainError },
): Promise<Replied> {
  try {
    if (reply instanceof DomainError) throw reply;
    const count = await post(deps, delivery, reply);
    return { settled: true, words: `Posted ${count} ${count === 1 ? 'message' : 'messages'}.` };
  } catch (error) {
    return isRefusal(error)
      ? { settled: true, words: blankTokens(`Refused (${error.code}): ${error.message}`) }
      : { settled: false, words: 'The reply could not be posted.' };
  }
}

async function post(
  { authority, posting }: ReplyDeps,
  { _id, conversation }: RepliedDelivery,
  { token, messages: given }: Reply,
): Promise<number> {
  if (token.length > MAX_TOKEN_CHARACTERS) throw invalidTokenError();
  const principal = await authority.authenticate(token);
  if (conversation === undefined) {
    throw new DomainError('unprocessable', 'The event belongs to no conversation that could be replied in.');
  }
  const body = { messages: given };
  assertStorable(body);
  const { messages } = checkReply(body);
  // Known by these, a reply that is made again after a crash or by a retry is not posted again.
  const named = messages.map((message, at) => ({ ...message, externalId: `${_id}#${at + 1}` }));
  const request = { principal, ids: randomIds, receivedAt: storeDate().toISOString() };
  const prepared = await prepareMessages(named, {
    request,
    conversation,
    deps: posting,
    origin: 'message',
  });
  return (await prepared.post()).posted.filter(({ known }) => !known).length;
}
