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

describe(`at most ${MAX_SERVICES} services of an organization and those above it (spec 7.1)`, () => {
  test.each([
    ['accepts the last service within the limit', { shop: MAX_SERVICES - 1 }, [SHOP], false],
    ['refuses one service above the limit', { shop: MAX_SERVICES }, [SHOP], true],
    ['refuses one service above the limit, counted with the parent', { tenant: 30, shop: 20 }, [SHOP], true],
    ['refuses a service above a full descendant', { stand: 50 }, [TENANT, SHOP, STAND], true],
    ['refuses a service above a branch full together', { shop: 20, stand: 30 }, [TENANT, SHOP, STAND], true],
    ['accepts a service above siblings full only together', { shop: 40, stall: 40 }, [TENANT, SHOP], false],
    ['refuses a service where far more are stored', { shop: 400 }, [SHOP], true],
    ['accepts a service of a tenant below a full root', { root: 50 }, [SHOP], false],
    ['refuses a service of a full root', { root: 50 }, [ROOT], true],
  ])('the limit on services of an organization and its ancestors %s', (_, counts, recipients, refused) => {
    expect(isRefused(() => assertRoomForService(services(counts), recipients))).toBe(refused);
  });

  test('services whose event patterns are too long in total are rejected', () => {
    const half = { organization: 'tenant', events: ['x'.repeat(MAX_PATTERN_CHARACTERS / 2)] };
    const more = { organization: 'shop', events: [...half.events, '*'] };
    expect(isRefused(() => assertRoomForPatterns(half, [half], [TENANT]))).toBe(false);
    expect(isRefused(() => assertRoomForPatterns(more, [half], [SHOP]))).toBe(true);
  });
});
