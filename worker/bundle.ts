import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { DISABLE_PROMISE_STACKS } from '../platform/patches/disable-promise-stacks.ts';

/** The build bundles the workflows, so that a worker starts without a bundler. */
const target = new URL('../workflow-bundle.js', import.meta.url);
const workflowsPath = fileURLToPath(new URL('../workflows/index.js', import.meta.url));

const { code } = await bundleWorkflowCode({
  workflowsPath,
  // All workflows share our modules, which hold no state. A copy per cached workflow would take 60
  // kB.
  preloadModules: [workflowsPath],
  logger: new DefaultLogger('WARN'),
});
await mkdir(new URL('.', target), { recursive: true });
// The prefix shares the first line, to keep the line numbers of the source map.
await writeFile(target, `${DISABLE_PROMISE_STACKS}${code}`);
