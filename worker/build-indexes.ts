import { readdir } from 'node:fs/promises';
import { loadConfig, readEnvironment } from '../platform/config/load.ts';
import { createLog } from '../platform/config/log.ts';
import { startFault } from '../platform/config/start-fault.ts';
import { connectStore, disconnectStore, ensureIndexes } from '../store/connection/connect.ts';

/** `npm run indexes`: builds missing indexes before a deployment. */
const { mongodbUri } = loadConfig((env) => {
  const reader = readEnvironment(env);
  return reader.finish({ mongodbUri: reader.required('MONGODB_URI') });
});
const log = createLog({ name: 'indexes' });

try {
  const store = new URL('../store/', import.meta.url);
  // Importing a module of a collection registers its indexes.
  for (const file of await readdir(store, { recursive: true })) {
    if (file.endsWith('.js')) await import(new URL(file, store).href);
  }
  await connectStore(mongodbUri);
  await ensureIndexes();
  await disconnectStore();
  log.info('all indexes are built');
} catch (error) {
  const fault = startFault(error, { mongodbUri });
  if (fault === undefined) log.fatal({ err: error }, 'the indexes could not be built');
  else log.fatal(fault);
  process.exit(1);
}
