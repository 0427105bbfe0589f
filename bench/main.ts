import { Client, Connection } from '@temporalio/client';
import { load, spreadOf } from './load.ts';
import type { Measured } from './load.ts';
import { startProduct, startProgram } from './product.ts';
import type { Product } from './product.ts';

/**
 * What the product costs over the bare workflow engine, as ratios within one run: `npm run bench [-- --repeats 3 --seconds 5]`. A table
 * for people, and the same as JSON on the last line.
 */
const repeats = numberArgument('--repeats', 3);
const seconds = numberArgument('--seconds', 5);
const CONVERSATIONS = 200;

interface Case {
  name: string;
  inFlight: number;
  work: (n: number) => Promise<unknown>;
  /** The echo that it is compared with. */
  floor?: string;
}

const product = await startProduct();
const echoWorker = await startProgram('bench/echo-worker', [product.temporalAddress]);
const connection = await Connection.connect({ address: product.temporalAddress });
try {
  const cases = await prepare(product, new Client({ connection }));
  report(await measureAll(cases));
} finally {
  await connection.close();
  await echoWorker.stop();
  await product.close();
}

async function prepare({ call, organization }: Product, client: Client): Promise<Case[]> {
  const echoes = await Promise.all(
    Array.from({ length: CONVERSATIONS }, (_, n) =>
      client.workflow.start('echo', { workflowId: `echo-${n}`, taskQueue: 'echo' }),
    ),
  );
  const ids: string[] = [];
  for (let n = 0; n < CONVERSATIONS; n += 1)
    ids.push((await call('POST', '/conversations', { name: `bench ${n}` })).id);
  const echo = (n: number) =>
    echoes[n % CONVERSATIONS]?.executeUpdate('echo', { args: ['hello'] }) ??
    Promise.reject(new Error('no echo'));
  const post = (n: number) =>
    call('POST', '/messages', { conversation: ids[n % CONVERSATIONS], role: 'agent', text: `message ${n}` });
  const hot = (n: number) =>
    call('POST', '/messages', { conversation: ids[0], role: 'agent', text: `hot ${n}` });
  let fresh = 0;
  const upsert = () => {
    fresh += 1;
    const contact = { profile: { email: `bench-${process.pid}-${fresh}@example.com` } };
    return call('POST', '/conversations', {
      organization,
      type: 'contact',
      contact,
      messages: [{ type: 'chat', role: 'contact', text: 'hello' }],
    });
  };
  return [
    { name: 'echo, 1 in flight', inFlight: 1, work: echo },
    { name: 'echo, 32 in flight', inFlight: 32, work: echo },
    { name: 'lone posts, 1 in flight', inFlight: 1, work: post, floor: 'echo, 1 in flight' },
    { name: 'lone posts, 32 in flight', inFlight: 32, work: post, floor: 'echo, 32 in flight' },
    { name: 'one hot conversation, 32 in flight', inFlight: 32, work: hot, floor: 'echo, 32 in flight' },
    { name: 'new conversations, 32 in flight', inFlight: 32, work: upsert, floor: 'echo, 32 in flight' },
    {
      name: 'fetch a conversation, 8 in flight',
      inFlight: 8,
      work: (n) => call('GET', `/conversations/${ids[n % CONVERSATIONS]}`),
    },
    {
      name: 'page of 200 messages, 8 in flight',
      inFlight: 8,
      work: () => call('GET', `/messages?conversation=${ids[0]}&limit=200`),
    },
  ];
}

async function measureAll(cases: Case[]): Promise<Map<Case, Measured[]>> {
  const measured = new Map<Case, Measured[]>(cases.map((one) => [one, []]));
  // All cases in every round, so that a noisy minute of the machine spoils no case alone.
  for (let round = 0; round < repeats; round += 1) {
    for (const one of cases)
      measured.get(one)?.push(await load(one.work, { inFlight: one.inFlight, seconds }));
  }
  return measured;
}

function report(measured: Map<Case, Measured[]>): void {
  const byName = new Map([...measured].map(([{ name }, rounds]) => [name, rounds]));
  const rows = [...measured].map(([{ name, floor }, rounds]) => {
    const floors = floor === undefined ? undefined : byName.get(floor);
    const ratio = (of: (one: Measured) => number) =>
      floors && spreadOf(rounds.map((one, n) => of(one) / of(floors[n] ?? one)));
    return {
      name,
      perSecond: spreadOf(rounds.map(({ perSecond }) => perSecond)),
      p50: spreadOf(rounds.map(({ p50 }) => p50)),
      p99: spreadOf(rounds.map(({ p99 }) => p99)),
      rateRatio: ratio(({ perSecond }) => perSecond),
      p50Ratio: ratio(({ p50 }) => p50),
    };
  });
  console.table(
    Object.fromEntries(
      rows.map(({ name, perSecond, p50, p99, rateRatio, p50Ratio }) => [
        name,
        {
          'per second': perSecond.median.toFixed(0),
          'p50 ms': p50.median.toFixed(1),
          'p99 ms': p99.median.toFixed(1),
          'rate / echo': rateRatio
            ? `${rateRatio.median.toFixed(2)} (${rateRatio.min.toFixed(2)}–${rateRatio.max.toFixed(2)})`
            : '',
          'p50 / echo': p50Ratio ? p50Ratio.median.toFixed(2) : '',
        },
      ]),
    ),
  );
  console.log(JSON.stringify({ repeats, seconds, rows }));
}

function numberArgument(name: string, otherwise: number): number {
  const at = process.argv.indexOf(name);
  return at < 0 ? otherwise : Number(process.argv[at + 1]);
}
