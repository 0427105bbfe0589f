import { expect } from 'vitest';
import type { Route } from '../../api/route.ts';
import { ERROR_CODES } from '../../domain/errors.ts';

/** An answer as it came over the wire. */
export interface RawResponse {
  status: number;
  headers: Headers;
  text: string;
}

/**
 * What every answer has: a request id; a refusal the one shape of body; and none is a failure (spec
 * 2.4, 2.5).
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
 * The methods of all rows that a path fits; of a path without variable parts, such as
 * `/conversations/search`, its own alone.
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

/** What `Allow` names, in order. */
export function parseAllow(headers: Headers): string[] {
  return (headers.get('allow') ?? '').split(', ').sort();
}

/** The code of a refusal. */
export function readErrorCode(text: string): unknown {
  return (JSON.parse(text) as { code: unknown }).code;
}

/** The names of headers that do not depend on how the body is sent. */
export function listHeaderNames(headers: Headers): string[] {
  const varying = ['content-length', 'transfer-encoding', 'connection', 'keep-alive'];
  return [...headers.keys()].filter((name) => !varying.includes(name));
}
