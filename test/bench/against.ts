import type { Case } from './case.ts';
import { eventCases } from './cases/events.ts';
import { postingCases } from './cases/posting.ts';
import { webhookCases } from './cases/webhooks.ts';
import type { Product } from './product.ts';

/**
 * Returns the cases of two products in alternation. Each case of `product` is compared with the
 * same case of `other`, and the other case gets the prefix `name`. Both products run during all
 * cases, so that an idle product affects both measurements equally.
 */
export async function casesAgainst(
  product: Product,
  { name, other }: { name: string; other: Product },
): Promise<{ cases: Case[]; close: () => void }> {
  const [mine, theirs] = [await casesOf(product), await casesOf(other)];
  const cases = mine.cases.flatMap((one, at): Case[] => {
    const { floor: _floor, goal: _goal, ...compared } = one;
    const { floor: _, goal: __, ...its } = theirs.cases[at] ?? one;
    const floor = `${name}: ${one.name}`;
    return [
      { ...its, name: floor },
      { ...compared, floor },
    ];
  });
  return {
    cases,
    close() {
      mine.close();
      theirs.close();
    },
  };
}

async function casesOf(product: Product): Promise<{ cases: Case[]; close: () => void }> {
  const { cases, close } = await webhookCases(product);
  return { cases: [...(await postingCases(product)), ...cases, ...(await eventCases(product))], close };
}
