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
    ['the last that there is room for', { shop: MAX_SERVICES - 1 }, [SHOP], false],
    ['one more than there is room for', { shop: MAX_SERVICES }, [SHOP], true],
    ['one more than the organization above leaves room for', { tenant: 30, shop: 20 }, [SHOP], true],
    ['one above an organization below that is full', { stand: 50 }, [TENANT, SHOP, STAND], true],
    ['one above a chain that is full together', { shop: 20, stand: 30 }, [TENANT, SHOP, STAND], true],
    ['one above neighbours that are full together', { shop: 40, stall: 40 }, [TENANT, SHOP], false],
    ['one where far more are stored already', { shop: 400 }, [SHOP], true],
    ['one of a tenant below a root that is full', { root: 50 }, [SHOP], false],
    ['one of a root that is full', { root: 50 }, [ROOT], true],
  ])('counts %s', (_, counts, recipients, refused) => {
    expect(isRefused(() => assertRoomForService(services(counts), recipients))).toBe(refused);
  });

  test('rejects patterns whose total length is too large', () => {
    const half = { organization: 'tenant', events: ['x'.repeat(MAX_PATTERN_CHARACTERS / 2)] };
    const more = { organization: 'shop', events: [...half.events, '*'] };
    expect(isRefused(() => assertRoomForPatterns(half, [half], [TENANT]))).toBe(false);
    expect(isRefused(() => assertRoomForPatterns(more, [half], [SHOP]))).toBe(true);
  });
});
