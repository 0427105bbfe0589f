import {
  allHandlersFinished,
  condition,
  continueAsNew,
  defineUpdate,
  proxyLocalActivities,
  setHandler,
} from '@temporalio/workflow';
import type { EchoActivities } from './echo-worker.ts';

const UPDATES_PER_RUN = 500;
const { store } = proxyLocalActivities<EchoActivities>({ startToCloseTimeout: '2s' });

/** The smallest possible conversation workflow: an update that returns its argument. */
export async function echo(): Promise<void> {
  await handleUpdates((text) => text);
}

/**
 * The smallest possible durable conversation workflow: an update that stores its argument as one
 * document by one local activity and returns it.
 */
export async function durableEcho(): Promise<void> {
  await handleUpdates(async (text) => {
    await store(text);
    return text;
  });
}

async function handleUpdates(handle: (text: string) => string | Promise<string>): Promise<void> {
  let updates = 0;
  setHandler(defineUpdate<string, [string]>('echo'), (text) => {
    updates += 1;
    return handle(text);
  });
  await condition(() => updates >= UPDATES_PER_RUN);
  await condition(allHandlersFinished);
  await continueAsNew();
}
