import { condition, defineUpdate, proxyActivities, setHandler, sleep } from '@temporalio/workflow';
import { ERASED_UPDATE } from './contract.ts';
import type { Activities, ErasureInput, ErasureResult } from './contract.ts';

const erasedUpdate = defineUpdate<ErasureResult>(ERASED_UPDATE);

// Retried until they succeed.
const { buryConversation, eraseConversation, finishErasure } = proxyActivities<
  Pick<Activities, 'buryConversation' | 'eraseConversation' | 'finishErasure'>
>({
  startToCloseTimeout: '60s',
  heartbeatTimeout: '5s',
  retry: { initialInterval: '200ms', maximumInterval: '10s' },
  summary: 'erasing a conversation',
});

/**
 * Removes a conversation (spec 5.8). A minute later, removes what concurrent work has written
 * since.
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
