/**
 * Runs projects of vitest.config.ts. By default, runs the projects EVERYDAY and the checks of
 * format, lint and types. `--resilience` runs RESILIENCE, `--load` runs LOAD. Further arguments are
 * filters of Vitest. The last line of the output is `N passed, M failed`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { parseArgs } from 'node:util';
import { startVitest } from 'vitest/node';

const EVERYDAY = ['unit', 'integration'];
const RESILIENCE = ['durability', 'attack', 'chaos'];
const LOAD = ['load', 'attack'];

const {
  values: { resilience, load },
  positionals: filters,
} = parseArgs({
  options: { resilience: { type: 'boolean' }, load: { type: 'boolean' } },
  allowPositionals: true,
});
if (load) process.env.PARLANCE_LOAD_MINUTES ??= '10';
const project = load ? LOAD : resilience ? RESILIENCE : EVERYDAY;

const checks = project === EVERYDAY ? runStaticChecks() : undefined;
const tests = await runTests();
const problem = await checks;
if (problem) console.log(`\n${problem}\nnpm run check:static has failed.\n`);
const failed = tests.failed + (problem ? 1 : 0);
process.exitCode = failed > 0 ? 1 : 0;
console.log(`${tests.passed} passed, ${failed} failed`);

async function runTests() {
  // `npm run test:load` measures latencies (test/support/load.ts), so its test files must not run
  // in parallel.
  const options = load ? { fileParallelism: false } : {};
  const vitest = await startVitest('test', filters, { run: true, project, ...options });
  const modules = vitest.state.getTestModules().map((module) => {
    const count = (state) => [...module.children.allTests(state)].length;
    // A file that cannot be loaded, or whose hooks fail, may have no failed test. Such a file
    // counts as one failure.
    return { passed: count('passed'), failed: count('failed') || (module.state() === 'failed' ? 1 : 0) };
  });
  const errors = vitest.state.getUnhandledErrors().length;
  await vitest.close();
  const sum = (name) => modules.reduce((total, counts) => total + counts[name], 0);
  return { passed: sum('passed'), failed: sum('failed') + errors || (modules.length === 0 ? 1 : 0) };
}

/**
 * Resolves to the output of failed checks. The checks run beside the tests, at low priority,
 * because the tests mostly wait.
 */
async function runStaticChecks() {
  const child = spawn('npm', ['run', '--silent', 'check:static'], { stdio: ['ignore', 'pipe', 'pipe'] });
  setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  return code === 0 ? undefined : output || `It ended with code ${code}.`;
}
