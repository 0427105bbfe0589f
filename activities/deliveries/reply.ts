import Type from 'typebox';
import type { Static } from 'typebox';
import type { Authority } from '../../auth/authority.ts';
import { DomainError } from '../../domain/errors.ts';
import type { PostingDeps } from '../../posting/asking.ts';
import { messageInput } from '../../posting/message-input.ts';
import { freshMint } from '../../posting/mint.ts';
import { prepareMessages } from '../../posting/prepare-messages.ts';
import { bodyCheck } from '../../schema/check.ts';
import { parseJson } from '../../schema/json.ts';
import type { QueuedDelivery } from '../../store/delivery-queue.ts';
import { replyOf } from '../../webhooks/answer.ts';
import type { Exchange } from '../../webhooks/exchange.ts';
import { storeDate } from '../../store/clock.ts';

export interface ReplyDeps {
  authority: Pick<Authority, 'authenticate'>;
  posting: PostingDeps;
}

/** What became of a reply, in words for the service's owner. Not `settled`: it could not be posted at the moment. */
export interface Replied {
  settled: boolean;
  words: string;
}

type Replying = Pick<QueuedDelivery, '_id' | 'conversation'>;

const replyInput = Type.Object({
  token: Type.String(),
  messages: Type.Array(messageInput, { minItems: 1, maxItems: 100 }),
});
const checkReply = bodyCheck(replyInput, 'whole') as (value: unknown) => Static<typeof replyInput>;

/**
 * Posts the messages in a 200 answer as its token's user, with every check that the API makes (contract 7); null where the answer is no
 * reply. A delivery's reply is posted once, however often the delivery is made.
 */
export async function postReply(
  deps: ReplyDeps,
  { delivery, end }: { delivery: Replying; end: Exchange },
): Promise<Replied | null> {
  const { status, answer } = end;
  if (status !== 200 || !answer || !replyOf(answer)) return null;
  try {
    const count = await post(deps, delivery, checkReply(parseJson(answer.toString())));
    return { settled: true, words: `Posted ${count} ${count === 1 ? 'message' : 'messages'}.` };
  } catch (error) {
    const refused = error instanceof DomainError && error.code !== 'unavailable';
    return refused
      ? { settled: true, words: `Refused (${error.code}): ${error.message}` }
      : { settled: false, words: 'The reply could not be posted.' };
  }
}

async function post(
  { authority, posting }: ReplyDeps,
  { _id, conversation }: Replying,
  { token, messages }: Static<typeof replyInput>,
): Promise<number> {
  const principal = await authority.authenticate(token);
  if (conversation === undefined) {
    throw new DomainError('unprocessable', 'The event belongs to no conversation that could be replied in.');
  }
  // Known by these, a reply that is made again after a crash or by a retry is not posted again.
  const named = messages.map((message, at) => ({ ...message, externalId: `${_id}#${at + 1}` }));
  const asking = { principal, mint: freshMint, receivedAt: storeDate().toISOString() };
  const prepared = await prepareMessages(named, {
    ...{ asking, conversation, deps: posting },
    origin: 'message',
  });
  return (await prepared.post()).posted.filter(({ known }) => !known).length;
}
