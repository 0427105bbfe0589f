import { readFile, readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import type { WorkflowBundleOption } from '@temporalio/worker';
import { parseHistory } from '../../support/histories.ts';

const HISTORIES = new URL('../../replay/histories/', import.meta.url);

/** The built product: workflow threads cannot run the sources. */
export const built = (file: string): URL => new URL(`../../../dist/${file}`, import.meta.url);

/** Loads a file of the SDK's workflow engine, the same instance that the SDK uses. */
export function sdkModule(file: string): unknown {
  return createRequire(import.meta.url)(`@temporalio/worker/lib/workflow/${file}`);
}

export function bundleCode(): Promise<string> {
  return readFile(built('workflow-bundle.js'), 'utf8');
}

/**
 * Replays the recorded history of a blocked conversation: in this thread, or in a workflow thread
 * of the SDK when `threaded`.
 */
export async function replayHistory(workflowBundle: WorkflowBundleOption, threaded: boolean): Promise<void> {
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  // The SDK uses a workflow thread for a replay only with `debugMode: false`, which its type omits.
  const options = { workflowBundle, ...(threaded ? { debugMode: false } : {}) };
  const names = (await readdir(HISTORIES)).filter((name) => name.includes('-blocked-')).sort();
  const text = await readFile(new URL(names.at(-1) ?? '', HISTORIES), 'utf8');
  await Worker.runReplayHistory(options, parseHistory(text));
}
