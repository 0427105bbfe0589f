import type { Case } from './case.ts';
import { eventCases } from './cases/events.ts';
import { postingCases } from './cases/posting.ts';
import { webhookCases } from './cases/webhooks.ts';
import type { Product } from './product.ts';

/**
 * The cases of two products in turns: those of `other`, told by a name, are what the first one's
 * are compared with. Both run all the time, so each has the machine's other half to bear in the
 * same way.
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
