import { readProduct } from './product.ts';
import type { ProductConfig } from './product.ts';
import { readEnvironment } from './read.ts';
import type { Environment } from './read.ts';
import { readTemporal } from './temporal.ts';
import type { TemporalConfig } from './temporal.ts';

/** What a worker process runs with. */
export interface WorkerConfig extends ProductConfig, TemporalConfig {
  mongodbUri: string;
  /** Checks the token in a webhook's answer (spec 7.9). */
  authSecret: string;
  /** Where it answers probes; absent: nowhere. */
  probes?: { host: string; port: number };
  /** Which version of which deployment it is; absent: any worker takes any task. */
  version?: { deploymentName: string; buildId: string };
}

/**
 * Reads a worker process' configuration, frozen. Throws ConfigurationError that names every
 * variable at fault.
 */
export function readWorkerConfig(env: Environment): Readonly<WorkerConfig> {
  const reader = readEnvironment(env);
  const port = reader.value('WORKER_PORT');
  const host = reader.value('HOST');
  const buildId = reader.value('WORKER_BUILD_ID');
  const deploymentName = reader.value('WORKER_DEPLOYMENT_NAME');
  return reader.finish({
    ...readProduct(reader),
    mongodbUri: reader.required('MONGODB_URI'),
    ...readTemporal(reader),
    authSecret: reader.required('AUTH_SECRET'),
    ...(port === undefined ? {} : { probes: { host, port } }),
    ...(buildId === undefined ? {} : { version: { deploymentName, buildId } }),
  });
}
