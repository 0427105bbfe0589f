import jsonata from 'jsonata';
import { createExpressionPool } from '../../application/expressions/pool.ts';

/**
 * Measures the time that the expression pool adds to an ordinary expression of 50 lines on a body
 * of 10 kB, compared with a run in this process. Run: `node --import tsx test/bench/transform.ts`.
 */
const RUNS = 400;
const WARM = 50;

const items = Array.from({ length: 112 }, (_, at) => ({
  sku: `part-${String(at).padStart(4, '0')}`,
  name: `Part number ${at}`,
  price: at * 1.25,
  count: (at % 7) + 1,
  tags: ['spare', at % 2 ? 'blue' : 'red'],
}));
const body = JSON.stringify({ order: 'A-17', customer: { name: 'Ada', email: 'Ada@Example.com' }, items });

const LINES = Array.from(
  { length: 46 },
  (_, at) => `  $total${at} := $sum(items[[${at}..${at + 2}]].(price * count));`,
);
const expression = [
  '(',
  ...LINES,
  '  $red := items[tags = "red"].sku;',
  '  $lines := items^(>price)[[0..4]].(name & ": " & $formatNumber(price, "#0.00"));',
  '  { "text": $join($lines, "\\n") & $total0, "red": $count($red), "email": $lowercase(customer.email) }',
  ')',
].join('\n');

const pool = createExpressionPool({ size: 2 });
const resolveLookup = () => Promise.resolve(undefined);
const compiled = jsonata(expression);

if ('fault' in (await pool.evaluate({ expression, path: ['bench'], body, resolveLookup }))) {
  throw new Error('The expression failed.');
}
const inProcess = await measure(async () => JSON.stringify(await compiled.evaluate(JSON.parse(body), {})));
const pooled = await measure(() => pool.evaluate({ expression, path: ['bench'], body, resolveLookup }));
await pool.close();

const lines = expression.split('\n').length;
console.log(`expression of ${lines} lines, body of ${body.length} bytes, medians of ${RUNS} runs`);
console.log(`in this process   ${inProcess.toFixed(2)} ms`);
console.log(`through the pool  ${pooled.toFixed(2)} ms`);
console.log(
  `the pool adds     ${(pooled - inProcess).toFixed(2)} ms, ratio ${(pooled / inProcess).toFixed(2)}`,
);

async function measure(work: () => Promise<unknown>): Promise<number> {
  for (let run = 0; run < WARM; run++) await work();
  const times: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const begun = performance.now();
    await work();
    times.push(performance.now() - begun);
  }
  return times.sort((a, b) => a - b)[RUNS / 2] ?? 0;
}
