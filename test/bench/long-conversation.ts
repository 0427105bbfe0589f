import { startProduct } from './product.ts';
import type { Product } from './product.ts';

/**
 * Measures the cost of a long conversation as a ratio within one run: `node --import tsx
 * test/bench/long-conversation.ts [--messages 100000]`. Posts single messages at the beginning and
 * at the end of one conversation, and arrays of a hundred messages in between. Goal: a post at the
 * end takes at most twice the time of a post at the beginning.
 */
const messages = numberArgument('--messages', 100_000);
const ARRAY = 100;
const LONE = 200;
const WARM_UP = 300;

const product = await startProduct();
try {
  const { id } = await product.call('POST', '/conversations', { name: 'long' });
  const other = await product.call('POST', '/conversations', { name: 'warm-up' });
  await medianMs(product, other.id as string, WARM_UP);
  const first = await medianMs(product, id as string, LONE);
  const started = performance.now();
  for (let posted = LONE; posted < messages - LONE; posted += ARRAY) {
    const body = Array.from({ length: ARRAY }, (_, n) => ({ text: `filling ${posted + n}`, role: 'agent' }));
    await product.call('POST', `/conversations/${id}/messages`, body);
  }
  const filledPerSecond = Math.round(messages / ((performance.now() - started) / 1000));
  const last = await medianMs(product, id as string, LONE);
  const { sequence } = await product.call('POST', '/messages', {
    conversation: id,
    text: 'the end',
    role: 'agent',
  });
  const ratio = Math.round((last / first) * 100) / 100;
  console.log(JSON.stringify({ sequence, firstMs: first, lastMs: last, ratio, filledPerSecond }));
} finally {
  await product.close();
}

async function medianMs({ call }: Product, conversation: string, count: number): Promise<number> {
  const took: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const from = performance.now();
    await call('POST', '/messages', { conversation, text: `lone ${n}`, role: 'agent' });
    took.push(performance.now() - from);
  }
  took.sort((a, b) => a - b);
  return Math.round((took[Math.floor(count / 2)] ?? 0) * 100) / 100;
}

function numberArgument(name: string, otherwise: number): number {
  const at = process.argv.indexOf(name);
  return at < 0 ? otherwise : Number(process.argv[at + 1]);
}
