import { expect } from 'vitest';
import type { Route } from '../../api/route.ts';
import { ERROR_CODES } from '../../domain/errors.ts';

export interface RawResponse {
  status: number;
  headers: Headers;
  text: string;
}

/**
 * Asserts the common properties of responses: a request id, no status 5xx, and the error format for
 * a refusal (spec 2.4, 2.5).
 */
export function expectFramed({ status, headers, text }: RawResponse, named: string): void {
  expect(status, `${named} ${text}`).toBeLessThan(500);
  expect(headers.get('x-request-id'), named).toMatch(/^[0-9a-f-]{36}$/);
  if (status < 400 || text === '' || (headers.get('content-type') ?? '').startsWith('text/html')) return;
  const body = JSON.parse(text) as { message: string; code: never; error: object };
  expect(body.error, named).toEqual({ message: body.message });
  expect(ERROR_CODES, named).toContain(body.code);
}

/**
 * Returns the methods of all routes that match a path. If routes have exactly this path, such as
 * `/conversations/search`, returns only the methods of these routes.
 */
export function findMethods(url: string, rows: readonly (Route & { url: string })[]): Set<string> {
  const shapes = rows.map(({ method, url: own, path }) => ({
    method,
    shape: new RegExp(`^${own.startsWith('/v2') ? '/v2' : ''}${path.replace(/:\w+/g, '[^/]+')}$`),
  }));
  const fixed = rows.filter((row) => row.url === url && !row.path.includes(':'));
  const known =
    fixed.length > 0
      ? fixed.map(({ method }) => method as string)
      : shapes.filter(({ shape }) => shape.test(url)).map(({ method }) => method as string);
  return new Set([...known, ...(known.includes('GET') ? ['HEAD'] : [])]);
}

/** Returns the methods in `Allow`, sorted. */
export function parseAllow(headers: Headers): string[] {
  return (headers.get('allow') ?? '').split(', ').sort();
}

export function readErrorCode(text: string): unknown {
  return (JSON.parse(text) as { code: unknown }).code;
}

/** Returns the header names that do not depend on how the body is sent. */
export function listHeaderNames(headers: Headers): string[] {
  const varying = ['content-length', 'transfer-encoding', 'connection', 'keep-alive'];
  return [...headers.keys()].filter((name) => !varying.includes(name));
}
