import { condition, defineUpdate, setHandler, sleep } from '@temporalio/workflow';
import { ERASED_UPDATE } from './contract.ts';
import type { ErasureInput, ErasureResult } from './contract.ts';
import { buryConversation, eraseConversation, finishErasure } from './proxies.ts';

const erasedUpdate = defineUpdate<ErasureResult>(ERASED_UPDATE);

/**
 * Removes a conversation for good (spec 5.8): first nothing can bring it back, then everything of
 * it goes, and its last events are told. Whatever dies meanwhile, it is gone through to the end.
 * One that is not as was asked for any more stays as it is. What was under way when it began may
 * still leave something behind: a minute later everything goes once more.
 */
export async function erasure(input: ErasureInput): Promise<void> {
  const end: { erased?: ErasureResult } = {};
  setHandler(erasedUpdate, async () => {
    await condition(() => end.erased !== undefined);
    return end.erased ?? false;
  });
  const { conversation } = input;
  const found = await buryConversation(input);
  if (found === true) await eraseConversation(conversation);
  end.erased = found;
  if (found !== true) return;
  await sleep('1 minute', { summary: 'until nothing is under way any more' });
  await eraseConversation(conversation);
  await finishErasure(conversation);
}
