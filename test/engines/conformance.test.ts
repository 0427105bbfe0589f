import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../support/fetched.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { ENGINES } from './engines.ts';
import type { EngineName } from './engines.ts';
import { CASES_ON_NEITHER } from './known-differences.ts';

/** Test files of packages/store-engine that can run against any MongoDB server. */
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

/** Returns the cases that fail on an engine and the number of all cases. */
async function failingOn(name: EngineName) {
  const engine = await ENGINES[name]();
  const folder = await temporaryFolder();
  const report = join(folder.path, 'report.json');
  const files = FILES.map((one) => `packages/store-engine/test/${one}.test.ts`);
  const args = ['vitest', 'run', '--project', 'unit', '--reporter=json', `--outputFile=${report}`, ...files];
  // The command exits with an error when a case fails. The failures are read from the report.
  await run('npx', args, { cwd: '.', env: { MONGODB_URI: engine.uri } }).catch(() => undefined);
  const { testResults } = JSON.parse(await readFile(report, 'utf8')) as Report;
  await Promise.all([engine.close(), folder.remove()]);
  const cases = testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = cases.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName);
  console.log(`${name}: ${failed.length} of ${cases.length} cases do not hold`);
  return { all: cases.length, failed: new Set(failed) };
}

test('every case of the built-in store passes on at least one other engine, or is known to be MongoDB’s behaviour', async () => {
  const java = await failingOn('mongo-java-server');
  const secantus = await failingOn('SecantusDB');
  expect(Math.min(java.all, secantus.all)).toBeGreaterThan(300);
  const neither = [...java.failed].filter((title) => secantus.failed.has(title));
  const isKnown = (title: string) => CASES_ON_NEITHER.some(([pattern]) => pattern.test(title));
  expect(neither.filter((title) => !isKnown(title))).toEqual([]);
  const unused = CASES_ON_NEITHER.filter(([pattern]) => !neither.some((title) => pattern.test(title)));
  expect(unused).toEqual([]);
});
