import { describe, expect, test } from 'vitest';
import {
  assertRoomForPatterns,
  assertRoomForService,
  MAX_PATTERN_CHARACTERS,
  MAX_SERVICES,
} from '../../domain/delivery/delivery-bounds.ts';

const ROOT = { path: ['root'] };
const TENANT = { path: ['root', 'tenant'] };
const SHOP = { path: ['root', 'tenant', 'shop'] };
const STAND = { path: ['root', 'tenant', 'shop', 'stand'] };

const services = (counts: Record<string, number>) =>
  Object.entries(counts).flatMap(([organization, count]) =>
    Array.from({ length: count }, () => ({ organization })),
  );

const isRefused = (work: () => void) => {
  try {
    work();
    return false;
  } catch {
    return true;
  }
};

describe(`at most ${MAX_SERVICES} services of an organization and its ancestors (spec 7.1)`, () => {
  test.each([
    ['is accepted as the last within the limit', { shop: MAX_SERVICES - 1 }, [SHOP], false],
    ['is refused if its organization has 50 services', { shop: MAX_SERVICES }, [SHOP], true],
    [
      'is refused if its organization and the parent have 50 services together',
      { tenant: 30, shop: 20 },
      [SHOP],
      true,
    ],
    ['is refused if a descendant organization has 50 services', { stand: 50 }, [TENANT, SHOP, STAND], true],
    [
      'is refused if a child and a grandchild on one branch have 50 services together',
      { shop: 20, stand: 30 },
      [TENANT, SHOP, STAND],
      true,
    ],
    [
      'is accepted if two children have more than 50 services only when added up',
      { shop: 40, stall: 40 },
      [TENANT, SHOP],
      false,
    ],
    ['is refused if its organization has far more than 50 services', { shop: 400 }, [SHOP], true],
    ['is accepted below a root organization that has 50 services', { root: 50 }, [SHOP], false],
    ['is refused in a root organization that has 50 services', { root: 50 }, [ROOT], true],
  ])('a new service %s', (_, counts, recipients, refused) => {
    expect(isRefused(() => assertRoomForService(services(counts), recipients))).toBe(refused);
  });

  test('a service is rejected if its event patterns and the patterns of the other services are too long in total', () => {
    const half = { organization: 'tenant', events: ['x'.repeat(MAX_PATTERN_CHARACTERS / 2)] };
    const more = { organization: 'shop', events: [...half.events, '*'] };
    expect(isRefused(() => assertRoomForPatterns(half, [half], [TENANT]))).toBe(false);
    expect(isRefused(() => assertRoomForPatterns(more, [half], [SHOP]))).toBe(true);
  });
});
