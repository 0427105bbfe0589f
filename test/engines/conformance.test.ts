import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../support/fetched.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { ENGINES } from './engines.ts';
import type { EngineName } from './engines.ts';
import { CASES_ON_NEITHER } from './known-differences.ts';

/** Files of packages/store-engine/test that any server can be asked. */
const FILES = [
  'filters',
  'updates',
  'writes',
  'indexes',
  'commands',
  'aggregate',
  'empty-arrays',
  'counting',
];

interface Report {
  testResults: { assertionResults: { status: string; fullName: string }[] }[];
}

/** The cases that do not hold on an engine, and how many there are. */
async function failingOn(name: EngineName) {
  const engine = await ENGINES[name]();
  const folder = await temporaryFolder();
  const report = join(folder.path, 'report.json');
  const files = FILES.map((one) => `packages/store-engine/test/${one}.test.ts`);
  const args = ['vitest', 'run', '--project', 'store', '--reporter=json', `--outputFile=${report}`, ...files];
  // It fails where a case does: the report says which.
  await run('npx', args, { cwd: '.', env: { MONGODB_URI: engine.uri } }).catch(() => undefined);
  const { testResults } = JSON.parse(await readFile(report, 'utf8')) as Report;
  await Promise.all([engine.close(), folder.remove()]);
  const cases = testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = cases.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName);
  console.log(`${name}: ${failed.length} of ${cases.length} cases do not hold`);
  return { all: cases.length, failed: new Set(failed) };
}

test('the cases of the built-in store hold on one of the others, or are known to be MongoDB’s', async () => {
  const java = await failingOn('mongo-java-server');
  const ferret = await failingOn('FerretDB');
  expect(Math.min(java.all, ferret.all)).toBeGreaterThan(400);
  const neither = [...java.failed].filter((title) => ferret.failed.has(title));
  const isKnown = (title: string) => CASES_ON_NEITHER.some(([pattern]) => pattern.test(title));
  expect(neither.filter((title) => !isKnown(title))).toEqual([]);
  const unused = CASES_ON_NEITHER.filter(([pattern]) => !neither.some((title) => pattern.test(title)));
  expect(unused).toEqual([]);
});
