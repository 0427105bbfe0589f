import { createCaller } from '../caller.ts';
import type { Case } from '../case.ts';
import { measureAll } from '../measure.ts';
import type { Plan, Round } from '../measure.ts';
import type { Product } from '../product.ts';
import { echoName } from './echo.ts';
import { CONVERSATIONS, makeConversations, messageTo } from './posting.ts';

/**
 * Measures posts of single messages with two workers and two APIs, alternately at both APIs.
 * Compares them with the echo measured in the same rounds.
 */
export async function twoOfEach(
  product: Product,
  cases: readonly Case[],
  plan: Plan,
): Promise<Map<Case, Round[]>> {
  const [worker, api] = await Promise.all([product.startAnother('worker'), product.startAnother('api')]);
  const other = createCaller(api.origin, product.token);
  try {
    const ids = await makeConversations(product, CONVERSATIONS, product.organization);
    const floor = cases.filter(({ name }) => name === echoName(32)).map((one) => ({ ...one, name: TWICE }));
    const posts: Case = {
      ...{ name: 'lone posts, two APIs, two workers, 32 in flight', inFlight: 32, floor: TWICE },
      work: (n) => (n % 2 ? other : product).send('POST', '/messages', messageTo(ids[n % ids.length], n)),
    };
    return await measureAll([...floor, posts], plan);
  } finally {
    await other.close();
    await Promise.all([api.stop(), worker.stop()]);
  }
}

const TWICE = `${echoName(32)}, beside two of each`;
