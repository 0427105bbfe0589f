/**
 * Runs projects of vitest.config.ts. By default, runs the checks of format, lint and types, then
 * the projects EVERYDAY. `--resilience` runs RESILIENCE, `--load` runs LOAD. `--long` adds the
 * files that take more than a minute, and more kills. Further arguments are filters of Vitest.
 * `--config` names another configuration of Vitest. The last line of the output is
 * `N passed, M failed`.
 *
 * A failed file of EVERYDAY or RESILIENCE gets a second look: it runs again alone, with separate
 * servers, and counts as it passes or fails then. Lines that begin with `second look:` list these
 * files. More than MAX_SECOND_LOOKS failed files fail the run at once. A line `machine:` follows
 * each failed file, so that a reader can tell a busy machine from a fault.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { relative } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { startVitest } from 'vitest/node';

const EVERYDAY = ['unit', 'integration'];
const RESILIENCE = ['durability', 'attack', 'chaos'];
const LOAD = ['load', 'attack'];

const MAX_SECOND_LOOKS = 12;
const SLOWEST_FILES = 10;
const TICK_MS = 250;
const NOT_ENDED = 'the test worker ended before the file';

const {
  values: { resilience, load, long, config },
  positionals: filters,
} = parseArgs({
  options: {
    resilience: { type: 'boolean' },
    load: { type: 'boolean' },
    long: { type: 'boolean' },
    config: { type: 'string' },
  },
  allowPositionals: true,
});
if (load) process.env.PARLANCE_LOAD_MINUTES ??= '10';
if (long) process.env.PARLANCE_KILLS ??= '10';
if (load || long) process.env.PARLANCE_LONG = '1';
const project = load ? LOAD : resilience ? RESILIENCE : EVERYDAY;

const pauses = startTicker();
const brokenChecks = project === EVERYDAY && !(await passStaticChecks()) ? 1 : 0;
const first = await runFiles({ project, filters });
const failedFiles = first.files.filter(({ failures }) => failures.length > 0);
const looks = load || failedFiles.length > MAX_SECOND_LOOKS ? [] : await lookAgain(failedFiles);

const final = first.files.map((file) => looks.find((look) => look.first === file)?.second ?? file);
const failed = sum(final, ({ failures }) => failures.length) + first.errors.length + brokenChecks;
printReport();
process.exitCode = failed > 0 ? 1 : 0;
console.log(`${sum(final, ({ passed }) => passed)} passed, ${failed} failed`);

/**
 * Runs the files that match. `files` has the failures of each file as `TITLE: first line of the
 * error`. `errors` has the first lines of the errors that belong to no file.
 */
async function runFiles({ project, filters }) {
  const vitest = await startVitest('test', filters, {
    run: true,
    project,
    reporters: ['default', { onTestModuleEnd: printMachine }],
    ...(config && { config }),
    // Latencies (test/support/load.ts) are measured without other test files beside them.
    ...(load && { fileParallelism: false }),
  });
  const uncaught = vitest.state.getUnhandledErrors();
  const specifications = await vitest.globTestSpecifications(filters);
  const files = specifications.map(({ project, moduleId, testModule }) => ({
    project: project.name,
    path: moduleId,
    seconds: (testModule?.diagnostic().duration ?? 0) / 1_000,
    passed: testModule ? [...testModule.children.allTests('passed')].length : 0,
    failures: testModule ? listFailures(testModule, uncaught) : [NOT_ENDED],
  }));
  await vitest.close();
  const paths = new Set(files.map(({ path }) => path));
  const errors = uncaught
    .filter(({ VITEST_TEST_PATH: path }) => !paths.has(path))
    .map((error) => describe('uncaught error', error));
  if (files.length === 0 && errors.length === 0) errors.push('no test file was found');
  // The end of a test worker is an error without a path. The failures of its files stand for it.
  const isWorkerLost = files.some(({ failures }) => failures.includes(NOT_ENDED));
  return { files, errors: isWorkerLost ? [] : errors };
}

function listFailures(module, uncaught) {
  const tests = [...module.children.allTests('failed')].map((test) =>
    describe(test.fullName, test.result().errors?.[0]),
  );
  const errors = uncaught
    .filter(({ VITEST_TEST_PATH: path }) => path === module.moduleId)
    .map((error) => describe('uncaught error', error));
  const failures = [...tests, ...errors];
  const state = module.state();
  if (state === 'pending' || state === 'queued') failures.push(NOT_ENDED);
  // A file that cannot be loaded, or whose hooks fail, may have no failed test.
  else if (state === 'failed' && failures.length === 0)
    failures.push(describe('(file)', module.errors()[0] ?? findSuiteError(module)));
  return failures;
}

function findSuiteError(module) {
  return [...module.children.allSuites()].flatMap((suite) => suite.errors())[0];
}

function describe(title, error) {
  const [line = ''] = String(error?.message ?? error ?? '').split('\n');
  return `${title}: ${line}`;
}

async function lookAgain(files) {
  const looks = [];
  for (const file of files) {
    console.log(`\nsecond look: ${name(file)} runs again alone\n`);
    const { files: again, errors } = await runFiles({ project: [file.project], filters: [file.path] });
    const [second = { ...file, passed: 0, failures: ['the file was not found again'] }] = again;
    second.failures.push(...errors);
    looks.push({ first: file, second });
  }
  return looks;
}

function printReport() {
  const slowest = first.files.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST_FILES);
  console.log('\nslowest files:');
  for (const file of slowest) console.log(`${file.seconds.toFixed(0).padStart(6)} s  ${name(file)}`);
  if (!load && failedFiles.length > MAX_SECOND_LOOKS)
    console.log(`\n${failedFiles.length} files failed, which is more than chance. None was run again.`);
  for (const error of first.errors) console.log(`failed: ${error}`);
  for (const file of failedFiles.filter((file) => final.includes(file)))
    for (const failure of file.failures) console.log(`failed: ${name(file)} › ${failure}`);
  for (const { first, second } of looks) {
    for (const failure of first.failures) console.log(`second look: ${name(first)} › ${failure}`);
    for (const failure of second.failures) console.log(`failed again: ${name(first)} › ${failure}`);
  }
  if (brokenChecks) console.log('failed: npm run check:static');
}

/** Records how long this process was paused, by the time at which the pause ended. */
function startTicker() {
  const pauses = [];
  let last = performance.now();
  setInterval(() => {
    const now = performance.now();
    pauses.push({ endedAt: now, ms: now - last - TICK_MS });
    last = now;
  }, TICK_MS).unref();
  return pauses;
}

function printMachine(module) {
  if (module.state() !== 'failed') return;
  const began = performance.now() - module.diagnostic().duration;
  const longest = Math.max(0, ...pauses.filter(({ endedAt }) => endedAt > began).map(({ ms }) => ms));
  const facts = [
    `load ${loadavg()[0].toFixed(1)}`,
    `CPU pressure ${readPressure()}`,
    `longest pause ${(longest / 1_000).toFixed(1)} s`,
  ];
  console.log(`machine: ${facts.join(', ')} (${name({ path: module.moduleId })})`);
}

/** Returns the share of the last minute in which a program waited for a CPU. */
function readPressure() {
  try {
    return `${/some .*avg60=([\d.]+)/.exec(readFileSync('/proc/pressure/cpu', 'utf8'))?.[1]} %`;
  } catch {
    return 'unknown';
  }
}

function name({ path }) {
  return relative(process.cwd(), path);
}

async function passStaticChecks() {
  const installing = installTemporal();
  const child = spawn('npm', ['run', '--silent', 'check:static'], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = await once(child, 'close');
  await installing;
  return code === 0;
}

/** Installs Temporal if it is missing. After a failure, the tests that need it try again. */
async function installTemporal() {
  if (process.env.TEMPORAL_ADDRESS) return;
  const { resolveTemporal } = await import('../dist/deploy/local/temporal.js');
  await resolveTemporal({ env: process.env, log: console.log }).catch(() => undefined);
}

function sum(list, count) {
  return list.reduce((total, item) => total + count(item), 0);
}
