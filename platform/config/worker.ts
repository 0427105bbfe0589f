import { readProduct } from './product.ts';
import type { ProductConfig } from './product.ts';
import { readEnvironment } from './read.ts';
import type { Environment } from './read.ts';
import { readTemporal } from './temporal.ts';
import type { TemporalConfig } from './temporal.ts';

export interface WorkerConfig extends ProductConfig, TemporalConfig {
  mongodbUri: string;
  /** Verifies the token in a webhook's response (spec 7.9). */
  authSecret: string;
  probes?: { host: string; port: number };
  version?: { deploymentName: string; buildId: string };
}

/**
 * Reads the configuration of a worker process, frozen. Throws ConfigurationError with every invalid
 * variable.
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

/**
 * Beyond this number, the least recently used workflow is evicted and later replayed
 * (docs/decisions/worker-memory.md).
 */
export const MAX_CACHED_WORKFLOWS = 2_000;
