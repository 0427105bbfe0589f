import { describe, expect, test } from 'vitest';
import { createFairTurns } from '../../../platform/concurrency/fair-turns.ts';

/** Returns fair turns that record the order of starts. The test ends the work. */
function begun(atOnce: number) {
  const turns = createFairTurns(atOnce);
  const order: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const add = (tenant: string, name: string) =>
    turns.run(tenant, () => {
      order.push(name);
      return new Promise<string>((resolve, reject) => {
        ends.set(name, (error) => (error ? reject(error) : resolve(name)));
      });
    });
  const end = async (name: string, error?: Error) => {
    ends.get(name)?.(error);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { add, order, end };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('fair turns', () => {
  test("fair turns run a tenant's only piece of work before the hundredth of another tenant", async () => {
    const { add, order, end } = begun(1);
    for (let at = 0; at < 100; at += 1) void add('busy', `busy ${at}`);
    void add('calm', 'calm');
    await settled();
    await end('busy 0');
    await end('busy 1');
    expect(order.slice(0, 3)).toEqual(['busy 0', 'busy 1', 'calm']);
  });

  test('fair turns run one piece of work per tenant at a time, and several tenants in parallel', async () => {
    const { add, order, end } = begun(2);
    for (const name of ['a1', 'a2']) void add('a', name);
    for (const name of ['b1', 'c1']) void add(name[0]!, name);
    await settled();
    expect(order).toEqual(['a1', 'b1']);
    await end('b1');
    expect(order).toEqual(['a1', 'b1', 'c1']);
    await end('a1');
    expect(order).toEqual(['a1', 'b1', 'c1', 'a2']);
  });

  test('fair turns continue after failed work and reject with its error', async () => {
    const { add, end } = begun(1);
    const [failed, next] = [add('a', 'a1'), add('a', 'a2')];
    failed.catch(() => undefined);
    await settled();
    await end('a1', new Error('no store'));
    await expect(failed).rejects.toThrow('no store');
    await end('a2');
    expect(await next).toBe('a2');
  });
});
