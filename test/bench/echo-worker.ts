import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, NativeConnection, Runtime, DefaultLogger, Worker } from '@temporalio/worker';
import { MongoClient } from 'mongodb';

/**
 * A worker for the workflows of test/bench/echo-workflow.ts only: `node --import tsx
 * test/bench/echo-worker.ts TEMPORAL_ADDRESS MONGODB_URI`. Prints `ready`.
 */
const [, , address = '', mongodbUri = ''] = process.argv;

Runtime.install({ logger: new DefaultLogger('WARN') });
const connection = await NativeConnection.connect({ address });
// The product's own write concern (store/connection/connect.ts).
const mongodb = await MongoClient.connect(mongodbUri, { w: 'majority', journal: true });
const documents = mongodb.db('echo').collection('documents');

const activities = {
  async store(text: string): Promise<void> {
    await documents.insertOne({ text });
  },
};
export type EchoActivities = typeof activities;

const worker = await Worker.create({
  connection,
  taskQueue: 'echo',
  activities,
  workflowBundle: await bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL('echo-workflow.ts', import.meta.url)),
  }),
});
process.on('SIGTERM', () => worker.shutdown());
process.stdout.write('ready\n');
await worker.run();
await connection.close();
await mongodb.close();
process.exit(0);
