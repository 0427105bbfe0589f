import { LIMITS } from '../protocol.ts';
import type { FromProcess, LookupAnswer, RunRequest, ToProcess } from '../protocol.ts';
import { checkExpression, evaluate } from './engine.ts';
import { toFault } from './fault.ts';
import type { FindRecord } from './engine.ts';
import { freezeShared } from './static-functions.ts';

/** The sandboxed process runs one expression at a time. */
interface PendingLookup {
  resolve: (record: string | undefined) => void;
  reject: (error: Error) => void;
}

let running = 0;
let lookups = new Map<number, PendingLookup>();

process.on('message', (message: ToProcess) => {
  if (message.kind === 'run') void run(message);
  else settleLookup(message);
});
process.on('disconnect', () => process.exit(0));

await freezeShared();
send({ kind: 'ready' });

async function run({ id, expression, body, event }: RunRequest): Promise<void> {
  running = id;
  lookups = new Map();
  const ended = await computeOutcome(expression, { body, event });
  // Pending work of a failed run must end before the next run starts.
  await new Promise(setImmediate);
  const { user, system } = process.cpuUsage();
  send({ kind: 'done', id, ...ended, cpuMs: (user + system) / 1_000 });
}

async function computeOutcome(expression: string, { body, event }: Pick<RunRequest, 'body' | 'event'>) {
  try {
    if (body !== undefined) return { result: await evaluate(expression, { body, event }, findRecord) };
    checkExpression(expression);
    return {};
  } catch (error) {
    return { fault: toFault(error, expression) };
  }
}

const findRecord: FindRecord = (name, filter) => {
  const lookup = lookups.size;
  if (lookup >= LIMITS.lookups) throw fault(`An expression may ask for ${LIMITS.lookups} records at most.`);
  if (filter.length > LIMITS.lookupFilterBytes) throw fault('A filter must not exceed 16 KiB.');
  const record = new Promise<string | undefined>((resolve, reject) => {
    lookups.set(lookup, { resolve, reject });
  });
  send({ kind: 'lookup', id: running, lookup, name, filter });
  return record;
};

function settleLookup({ id, lookup, record, refused }: LookupAnswer): void {
  if (id !== running) return;
  const waiting = lookups.get(lookup);
  if (refused === undefined) waiting?.resolve(record);
  else waiting?.reject(fault(refused));
}

function fault(message: string): Error {
  return Object.assign(new Error(message), { code: 'lookup' });
}

function send(message: FromProcess): void {
  process.send?.(message);
}
