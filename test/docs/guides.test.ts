import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { getErrorCodes } from '../../api/errors.ts';
import { ERROR_CODES } from '../../domain/errors.ts';
import { isAsSaid } from '../guides/snippets.ts';

const GUIDES = readdirSync('docs').flatMap((name) =>
  name.endsWith('.md') && name !== 'README.md' ? [name.slice(0, -3)] : [],
);
const read = (name: string) => readFileSync(`docs/${name}.md`, 'utf8');

test.each(GUIDES)('docs/%s.md is listed in docs/README.md, and its links and pictures exist', (guide) => {
  expect(read('README')).toContain(`(${guide}.md)`);
  const text = read(guide);
  const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)|<img src="([^"]+)"/g)];
  for (const [, link, picture] of links)
    expect(existsSync(`docs/${link ?? picture}`), link ?? picture).toBe(true);
});

test('docs/permissions.md has the same table of permissions as the specification', () => {
  const rows = (text: string) =>
    [
      ...text.matchAll(
        /^\| (?:records|organ|users|conv|messages|contacts|know|forms|channels|services|business).*$/gm,
      ),
    ].map(([row]) => row.replace(/ +/g, ' '));
  const said = rows(read('specification/04-organizations')).slice(0, 11);
  expect(rows(read('permissions')).slice(0, 11)).toEqual(said);
  expect(said).toHaveLength(11);
});

test('docs/mistakes.md has each error code with its status, a cause and a cure', () => {
  const rows = [...read('mistakes').matchAll(/^\| `(\w+)` +\| (\d+) +\| (\S.*?) +\| (\S.*?) +\|$/gm)];
  const described = rows.map(([, code = '', status = '']) => [code, Number(status)]);
  const statuses = [400, 401, 403, 404, 405, 409, 412, 413, 415, 422, 429, 500, 503];
  const known = statuses.flatMap((status) => getErrorCodes(status).map((code) => [code, status]));
  expect(described.sort()).toEqual(known.sort());
  expect(described).toHaveLength(ERROR_CODES.length);
});

test('isAsSaid returns true only if the output in a guide matches the whole printed output', () => {
  expect(isAsSaid('422 …\nplk_…', '422 Not (this).\nplk_a.b\n')).toBe(true);
  expect(isAsSaid('422 …', '422 one\n422 two')).toBe(false);
  expect(isAsSaid('[ true ]', 'x [ true ]')).toBe(false);
  expect(isAsSaid('a.b', 'aXb')).toBe(false);
});
