import { readFile, readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import type { WorkflowBundleOption } from '@temporalio/worker';
import { parseHistory } from '../../support/histories.ts';

const HISTORIES = new URL('../../replay/histories/', import.meta.url);

/** Returns the URL of a compiled file. Workflow threads cannot run the TypeScript sources. */
export const built = (file: string): URL => new URL(`../../../dist/${file}`, import.meta.url);

/** Returns a module of the SDK's workflow engine: the instance that the SDK itself uses. */
export function sdkModule(file: string): unknown {
  return createRequire(import.meta.url)(`@temporalio/worker/lib/workflow/${file}`);
}

export function bundleCode(): Promise<string> {
  return readFile(built('workflow-bundle.js'), 'utf8');
}

/**
 * Replays the recorded history of a blocked conversation. The replay runs in a workflow thread of
 * the SDK if `threaded` is true, otherwise in this thread.
 */
export async function replayHistory(workflowBundle: WorkflowBundleOption, threaded: boolean): Promise<void> {
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  // The SDK replays in a workflow thread only with `debugMode: false`. The type of the options
  // lacks this field.
  const options = { workflowBundle, ...(threaded ? { debugMode: false } : {}) };
  const names = (await readdir(HISTORIES)).filter((name) => name.includes('-blocked-')).sort();
  const text = await readFile(new URL(names.at(-1) ?? '', HISTORIES), 'utf8');
  await Worker.runReplayHistory(options, parseHistory(text));
}
