import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import { MongoClient } from 'mongodb';
import { casesAgainst } from './against.ts';
import type { Case } from './case.ts';
import { echoCases } from './cases/echo.ts';
import { eventCases } from './cases/events.ts';
import { postingCases } from './cases/posting.ts';
import { readingCases } from './cases/reading.ts';
import { twoOfEach } from './cases/two-of-each.ts';
import { channelCases, webhookCases } from './cases/webhooks.ts';
import { costPerMessage } from './cost.ts';
import { cpuMsOfAll } from './cpu-time.ts';
import { latenessInTurns } from './delays.ts';
import { measureAll, withFloors } from './measure.ts';
import { startCluster } from '../cluster/temporal-cluster.ts';
import { printPeer, readPeer } from './peer.ts';
import { startProduct } from './product.ts';
import type { Product } from './product.ts';
import { startProgram } from './programs.ts';
import { printCost, printLateness, printRows, rowsOf } from './report.ts';

/**
 * Measures the product against the bare workflow engine and the bare driver, as ratios within one
 * run (docs/benchmarks.md): `npm run bench [-- --repeats 5 --seconds 5 --only 'pattern' --json
 * FILE]`. `--against FOLDER` compares with another built copy of the project, `--cluster` compares
 * Temporal on PostgreSQL with the embedded server, and `--peer FOLDER` compares with the results of
 * another product, which are JSON files in the folder.
 */
const { values } = parseArgs({
  options: {
    repeats: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '5' },
    only: { type: 'string', default: '' },
    json: { type: 'string' },
    against: { type: 'string' },
    cluster: { type: 'boolean', default: false },
    peer: { type: 'string' },
  },
});
const plan = { repeats: Number(values.repeats), seconds: Number(values.seconds) };
const wanted = new RegExp(values.only, 'i');
const peer = values.peer === undefined ? null : await readPeer(values.peer);

const cluster = values.cluster ? await startCluster(() => undefined) : null;
const product = await startProduct(cluster ? { cluster } : {});
const before = await startOther();
const otherName = cluster ? 'embedded' : 'before';
const here = { name: cluster ? 'cluster' : 'now', product };
const echoWorker = await startProgram('test/bench/echo-worker.ts', {
  args: [product.temporalAddress, product.mongodbUri],
});
const connection = await Connection.connect({ address: product.temporalAddress });
const mongodb = await MongoClient.connect(product.mongodbUri);
const temporal = new Client({ connection, namespace: product.namespace });
let closeReceivers = (): void => undefined;
try {
  const cases = before ? await prepareAgainst(before) : await prepare();
  const rows = rowsOf(await measureAll(withFloors(cases, wanted), plan));
  const cost = wanted.test('cost per message') ? await costPerMessage(product, temporal, plan.seconds) : null;
  const lateness = wanted.test('delayed messages')
    ? await latenessInTurns(
        before ? [{ name: otherName, product: before }, here] : [here],
        before ? plan.repeats : 1,
      )
    : [];
  const doubled = wanted.test('two of each') ? await twoOfEach(product, cases, plan) : new Map();
  const all = [...rows, ...rowsOf(doubled)];
  printRows(all);
  if (cost) printCost(cost);
  lateness.forEach(printLateness);
  if (peer) printPeer(all, peer);
  const json = JSON.stringify({
    ...plan,
    rows: all,
    ...(cost ? { cost } : {}),
    ...(lateness.length > 0 ? { lateness } : {}),
  });
  if (values.json !== undefined) await writeFile(values.json, `${json}\n`);
  console.log(json);
} finally {
  closeReceivers();
  await mongodb.close();
  await connection.close();
  await echoWorker.stop();
  await product.close();
  await before?.close();
  await cluster?.close();
}
process.exit(0);

/** Starts the product that `product` is compared with, or returns null without such a product. */
async function startOther(): Promise<Product | null> {
  if (values.against !== undefined) return startProduct({ root: values.against });
  return cluster ? startProduct() : null;
}

async function prepare(): Promise<Case[]> {
  const [webhooks, channels] = [await webhookCases(product), await channelCases(product)];
  closeReceivers = () => [webhooks, channels].forEach(({ close }) => close());
  const cpuWith = async (...servers: ('temporal' | 'store')[]) => {
    const pids = await product.pids();
    return cpuMsOfAll([echoWorker.pid, ...servers.map((name) => pids[name])]);
  };
  const echoCpu = { echo: () => cpuWith('temporal'), durable: () => cpuWith('temporal', 'store') };
  return [
    ...(await echoCases(temporal, echoCpu)),
    ...(await postingCases(product)),
    ...webhooks.cases,
    ...channels.cases,
    ...(await readingCases(product, mongodb.db())),
    ...(await eventCases(product)),
  ];
}

async function prepareAgainst(other: Product): Promise<Case[]> {
  const { cases, close } = await casesAgainst(product, { name: otherName, other });
  closeReceivers = close;
  return cases;
}
