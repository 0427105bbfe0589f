import {
  allHandlersFinished,
  condition,
  continueAsNew,
  defineUpdate,
  setHandler,
} from '@temporalio/workflow';

/** The least that a conversation could be: an update that answers what it was asked. */
export async function echo(): Promise<void> {
  let updates = 0;
  setHandler(defineUpdate<string, [string]>('echo'), (text) => {
    updates += 1;
    return text;
  });
  await condition(() => updates >= 500);
  await condition(allHandlersFinished);
  await continueAsNew<typeof echo>();
}
