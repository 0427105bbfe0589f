import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, NativeConnection, Runtime, DefaultLogger, Worker } from '@temporalio/worker';

/**
 * A worker that runs nothing but the echo: `node --import tsx bench/echo-worker.ts ADDRESS`. Prints
 * `ready`.
 */
const [, , address = ''] = process.argv;

Runtime.install({ logger: new DefaultLogger('WARN') });
const connection = await NativeConnection.connect({ address });
const worker = await Worker.create({
  connection,
  taskQueue: 'echo',
  workflowBundle: await bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL('echo-workflow.ts', import.meta.url)),
  }),
});
process.on('SIGTERM', () => worker.shutdown());
process.stdout.write('ready\n');
await worker.run();
await connection.close();
process.exit(0);
