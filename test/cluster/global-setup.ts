import { startCluster } from './temporal-cluster.ts';

/**
 * Starts the cluster before the other servers of the run, which read the environment variables set
 * here.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const log = (line: string) => {
    if (process.env['PARLANCE_TEST_LOG'] || line.startsWith('building ')) process.stdout.write(`${line}\n`);
  };
  const cluster = await startCluster(log);
  process.env['TEMPORAL_ADDRESS'] = cluster.address;
  process.env['PARLANCE_TEST_TEMPORAL_PID'] = cluster.pidFile;
  return cluster.close;
}
