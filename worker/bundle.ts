import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode } from '@temporalio/worker';
import { DISABLE_PROMISE_STACKS } from '../platform/patches/disable-promise-stacks.ts';

/**
 * Builds the workflow bundle beside the compiled code, so that a worker starts without a bundler.
 * The build runs it: `node dist/worker/bundle.js`.
 */
const target = new URL('../workflow-bundle.js', import.meta.url);
const workflowsPath = fileURLToPath(new URL('../workflows/index.js', import.meta.url));

const { code } = await bundleWorkflowCode({
  workflowsPath,
  // Shared and frozen for all conversations: our modules hold no state, and a copy per cached
  // workflow took 60 kB.
  preloadModules: [workflowsPath],
  logger: {
    log: () => undefined,
    trace: () => undefined,
    debug: () => undefined,
    info: () => undefined,
    warn: console.warn,
    error: console.error,
  },
});
await mkdir(new URL('.', target), { recursive: true });
// On the first line, so that the source map's line numbers stay correct.
await writeFile(target, `${DISABLE_PROMISE_STACKS}${code}`);
