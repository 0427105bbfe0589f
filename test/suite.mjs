/**
 * `npm test`, and with `--resilience` the projects that kill, attack and disturb the product. Files
 * that failed run once more, alone: many tests measure times or race real processes, and a stall of
 * the machine is not a fault of the product; a fault fails twice. Ends with the names of what
 * needed the second try and with `N passed, N failed`. Arguments are filters, as vitest takes them.
 */
import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { startVitest } from 'vitest/node';

/** More than a stall of the machine explains. */
const MAX_AGAIN = 8;
/** The projects of vitest.config.ts. */
const EVERYDAY = ['store', 'unit', 'deliveries', 'embedded', 'integration'];
const RESILIENCE = ['processes', 'durability', 'attack', 'chaos'];

const {
  values: { resilience },
  positionals: filters,
} = parseArgs({ options: { resilience: { type: 'boolean' } }, allowPositionals: true });
const project = resilience ? RESILIENCE : EVERYDAY;

const first = await run(filters);
const failed = first.modules.filter(({ failed }) => failed > 0).map(({ file }) => file);
const second =
  failed.length > 0 && failed.length <= MAX_AGAIN && first.errors === 0 ? await again(failed) : undefined;

const modules = second
  ? [...first.modules.filter(({ file }) => !failed.includes(file)), ...second.modules]
  : first.modules;
const errors = first.errors + (second?.errors ?? 0);
const sum = (count) => modules.reduce((total, one) => total + count(one), 0);
const failures = sum((one) => one.failed) + errors;
process.exitCode = failures > 0 || modules.length === 0 ? 1 : 0;
console.log(`${sum((one) => one.passed)} passed, ${failures || process.exitCode} failed`);

async function again(files) {
  console.log(`\nOnce more, alone: ${files.map((file) => relative('', file)).join(', ')}\n`);
  return run(files, { maxWorkers: 1 });
}

/** What came of each file; `errors` are those outside of any test. */
async function run(files, options = {}) {
  const vitest = await startVitest('test', files, { run: true, project, ...options });
  const modules = vitest.state.getTestModules().map((module) => {
    const count = (state) => [...module.children.allTests(state)].length;
    // A file that cannot be read, or whose hooks fail, has failed without a failed test.
    const failed = count('failed') || (module.state() === 'failed' ? 1 : 0);
    return { file: module.moduleId, passed: count('passed'), failed };
  });
  const errors = vitest.state.getUnhandledErrors().length;
  await vitest.close();
  return { modules, errors };
}
