import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import { startCluster } from '../cluster/temporal-cluster.ts';
import { startFleet } from './growth/fleet.ts';
import { fillUp, measureOpen } from './growth/open.ts';
import type { Open } from './growth/open.ts';
import { printOpen, printSpread, printThroughput } from './growth/report.ts';
import { spreadAfterDeath, spreadToAdded } from './growth/spread.ts';
import { throughputBySize } from './growth/throughput.ts';
import { startProduct } from './product.ts';

/**
 * Measures how the product scales with the number of processes and of conversations
 * (docs/benchmarks.md): `node --import tsx test/bench/growth.ts [throughput] [spread] [open]
 * [--cluster] [--repeats 3 --seconds 10 --worker-cores 0.125 --api-cores 0.125] [--conversations
 * 1000,100000 --data FOLDER] [--json FILE]`. With `fill` alone, only creates the conversations in
 * the folder. The last line is the result as JSON.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    cluster: { type: 'boolean', default: false },
    repeats: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '10' },
    'worker-cores': { type: 'string', default: '0.125' },
    'api-cores': { type: 'string', default: '0.125' },
    conversations: { type: 'string', default: '1000,100000' },
    data: { type: 'string' },
    json: { type: 'string' },
  },
});
const APIS = 2;
const repeats = Number(values.repeats);
const parts = positionals.length > 0 ? positionals : ['throughput', 'spread', 'open'];

const json = JSON.stringify({
  ...(parts.some((part) => part === 'throughput' || part === 'spread') ? await byProcesses() : {}),
  ...(parts.includes('open') || parts.includes('fill') ? { open: await byConversations() } : {}),
});
if (values.json !== undefined) await writeFile(values.json, `${json}\n`);
console.log(json);
process.exit(0);

async function byProcesses() {
  const cluster = values.cluster ? await startCluster(() => undefined) : null;
  const product = await startProduct(cluster ? { cluster } : {});
  const connection = await Connection.connect({ address: product.temporalAddress });
  const client = new Client({ connection, namespace: product.namespace });
  const fleet = await startFleet(product, APIS);
  try {
    const turns = parts.includes('throughput') ? await throughput() : [];
    const spread = parts.includes('spread') ? await spreading() : null;
    printThroughput(turns);
    if (spread) printSpread(spread);
    return { turns, spread };
  } finally {
    await fleet.close();
    await connection.close();
    await product.close();
    await cluster?.close();
  }

  function throughput() {
    const cores = { worker: Number(values['worker-cores']), api: Number(values['api-cores']) };
    return throughputBySize(product, fleet, { repeats, seconds: Number(values.seconds), cores });
  }

  async function spreading() {
    const deaths = [];
    while (deaths.length < repeats) {
      deaths.push(await spreadAfterDeath(product, fleet, client));
      process.stderr.write(`${JSON.stringify(deaths.at(-1))}\n`);
    }
    return { deaths, added: await spreadToAdded(product, fleet, client) };
  }
}

/** Measures, or with `fill` only creates, each number of conversations in a separate folder. */
async function byConversations(): Promise<Open[]> {
  const folder = values.data ?? (await mkdtemp(join(tmpdir(), 'parlance-growth-')));
  const measured: Open[] = [];
  try {
    for (const size of values.conversations.split(',')) {
      const at = join(folder, size);
      if (parts.includes('fill')) await fillUp(at, Number(size));
      else measured.push(await measureOpen(at, Number(size)));
    }
  } finally {
    if (values.data === undefined) await rm(folder, { recursive: true, force: true });
  }
  printOpen(measured);
  return measured;
}
