import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { constants, getPriority } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createExpressionPool } from '../../../application/expressions/pool.ts';
import type { ExpressionPool } from '../../../application/expressions/pool.ts';
import { LookupRefusal } from '../../../application/expressions/run.ts';
import { buildSandboxCommand } from '../../../application/expressions/processes.ts';
import { eventually } from '../../support/eventually.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { GREEDY, HARMFUL } from './hostile-expressions.ts';

const PATH = ['root', 'o'.repeat(24)];
const ENDLESS = '($f := function($x) { $f($x) }; $f(1))';

/** Options for valid expressions on a busy machine: long limits and normal priority. */
const PATIENT = { limits: { cpuMs: 30_000, wallMs: 60_000 }, yields: false };
/** Options for endless expressions: a low limit of CPU time, so that the tests take less time. */
const SHORT = { limits: { cpuMs: 250, wallMs: 60_000 }, yields: false };

/**
 * Replaces the lookups: finds no records, and rejects operators and the hidden field `commit`.
 * test/activities/event-records.test.ts and test/attack/hostile-events.test.ts run real lookups.
 */
function lookFor({ filter }: { filter: string }): Promise<undefined> {
  if (/\$|commit/.test(filter)) return Promise.reject(new LookupRefusal('no such field'));
  return Promise.resolve(undefined);
}

describe('the expression pool', () => {
  let pool: ExpressionPool;
  let hasty: ExpressionPool;

  beforeAll(() => {
    pool = createExpressionPool({ size: 2, ...PATIENT });
    hasty = createExpressionPool({ size: 3, ...SHORT });
  });

  afterAll(() => Promise.all([pool.close(), hasty.close()]));

  function run(
    expression: string,
    {
      body = null,
      path = PATH,
      within = pool,
    }: { body?: unknown; path?: string[]; within?: ExpressionPool } = {},
  ) {
    return within.evaluate({ expression, path, body: JSON.stringify(body), resolveLookup: lookFor });
  }

  test('the expression pool returns the result of an expression as JSON, or an empty object without a result', async () => {
    expect(await run('a.b', { body: { a: { b: [1, 'x', null, true] } } })).toEqual({
      result: '[1,"x",null,true]',
    });
    expect(await run('missing', { body: {} })).toEqual({});
    expect(await run('null')).toEqual({ result: 'null' });
  });

  test('the expression pool checks an expression without running it and returns the position and the reason of an error', async () => {
    expect(await pool.check({ expression: '$x := ', path: PATH })).toMatchObject({
      fault: { position: expect.any(Number), message: expect.stringMatching(/end of expression/) },
    });
    expect(await pool.check({ expression: ENDLESS, path: PATH })).toEqual({});
    const deep = '('.repeat(200_000);
    expect(await pool.check({ expression: deep, path: PATH })).toHaveProperty('fault');
  });

  test('the expression pool isolates runs, even if a run changes shared functions', async () => {
    const before = await run('$sum([1, 2]) & $uppercase("a") & ($trim ~> $length)(" b ")');
    for (const name of ['$sum', '$uppercase', '($trim ~> $length).*', '($trim ~> $length).**']) {
      await run(
        `{} ~> | ${name} | { "implementation": 1, "_jsonata_function": false, "type": "x", "value": 7 } |`,
      );
      await run(`{} ~> | ${name} | {}, ["implementation", "_jsonata_function", "type", "body"] |`);
    }
    await run('{} ~> | $ | { "__proto__": { "polluted": 1 } } |');
    expect(await run('$x := 5')).toEqual({ result: '5' });
    expect(await run('$x')).toEqual({});
    expect(await run('$sum([1, 2]) & $uppercase("a") & ($trim ~> $length)(" b ")')).toEqual(before);
    expect(await run('$exists({}.polluted)')).toEqual({ result: 'false' });
  });

  test('the expression pool ends a run after a second of CPU time', async () => {
    const strict = createExpressionPool({ size: 2 });
    expect(await run(ENDLESS, { within: strict })).toMatchObject({ fault: { code: 'time' } });
    await strict.close();
  });

  test('the expression pool runs its processes with lower priority', async () => {
    const ordinary = createExpressionPool({ size: 1 });
    ordinary.warm();
    expect(ordinary.pids().map(getPriority)).toEqual([constants.priority.PRIORITY_BELOW_NORMAL]);
    await ordinary.close();
  });

  test.each(GREEDY)(
    'the expression pool ends a run that exceeds the memory limit: %s',
    async (_, expression) => {
      expect(await run(expression)).toMatchObject({ fault: { code: 'memory' } });
      expect(await run('1 + 1')).toEqual({ result: '2' });
    },
  );

  test('the expression pool replaces the processes that it ended', async () => {
    await run(ENDLESS, { within: hasty });
    await eventually(() => hasty.pids().length >= 3);
  });

  test('the expression pool replaces a killed process and repeats its run', async () => {
    const lost = pool.pids();
    const running = run('$sum([1..100000])');
    for (const pid of lost) process.kill(pid, 'SIGKILL');
    expect(await running).toEqual({ result: '5000050000' });
    await eventually(() => pool.pids().length >= 2 && pool.pids().every((pid) => !lost.includes(pid)));
  });

  test('the expression pool serves other organizations while one organization keeps it busy', async () => {
    const busy = [1, 2, 3].map(() => run(ENDLESS, { path: ['root', 'hostile'], within: hasty }));
    let done = false;
    void Promise.all(busy).then(() => (done = true));
    expect(await run('1 + 1', { within: hasty })).toEqual({ result: '2' });
    expect(done).toBe(false);
    await Promise.all(busy);
  });

  test('the expression pool waits for the lookups of an expression', async () => {
    const slow = await pool.evaluate({
      expression: '$conversation({"id": "x"}).name & $contact({"id": "y"}).name',
      path: PATH,
      body: 'null',
      async resolveLookup({ name }) {
        await setImmediate();
        return JSON.stringify({ name });
      },
    });
    expect(slow).toEqual({ result: '"conversationcontact"' });
  });

  test.each([
    ['all values', '$contact({"meta.order": order, "meta.shop": shop})', true],
    ['a null value', '$contact({"meta.order": order, "meta.shop": nothing})', false],
    ['a missing value', '$contact({"meta.order": order, "meta.shop": absent})', false],
    [
      'a missing value in a variable',
      '($f := {"meta.order": absent, "meta.shop": shop}; $contact($f))',
      false,
    ],
    ['a missing value in a chain', '{"meta.order": absent, "meta.shop": shop} ~> $contact()', false],
  ])('a lookup finds a record only if no condition is missing: %s', async (_, expression, isFound) => {
    const found = await pool.evaluate({
      expression: `$exists(${expression})`,
      path: PATH,
      body: '{ "order": "A-17", "shop": 3, "nothing": null }',
      resolveLookup: () => Promise.resolve('{"name":"the first record"}'),
    });
    expect(found).toEqual({ result: String(isFound) });
  });

  test('the expression pool returns an invalid filter as an error of the expression, and rejects if the store fails', async () => {
    const asking = { expression: '$contact({"x": 1})', path: PATH, body: 'null' };
    const refused = pool.evaluate({
      ...asking,
      resolveLookup: () => Promise.reject(new LookupRefusal('no such field')),
    });
    expect(await refused).toMatchObject({ fault: { message: 'no such field' } });
    const down = pool.evaluate({ ...asking, resolveLookup: () => Promise.reject(new Error('down')) });
    await expect(down).rejects.toThrow('down');
    expect(await run('1 + 1')).toEqual({ result: '2' });
  });

  // Each expression has a separate tenant path, because a slow tenant waits until all processes are
  // replaced.
  test.each(HARMFUL)('the expression pool survives %s', async (name, expression) => {
    const evaluation = await run(expression, { body: { a: 1 }, path: ['root', name], within: hasty });
    expect(evaluation).toHaveProperty('fault');
  });

  test('the expression pool, once closed, rejects running and waiting requests and leaves no process', async () => {
    const closing = createExpressionPool({ size: 1 });
    const waiting = [1, 2].map(() =>
      closing.check({ expression: '1', path: PATH }).then(
        () => 'answered',
        () => 'refused',
      ),
    );
    const pids = closing.pids();
    await closing.close();
    expect(await Promise.all(waiting)).toEqual(['refused', 'refused']);
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow();
  });
});

describe('an expression process', () => {
  test('an expression process can read only its own code, cannot start processes and has no environment variables', async () => {
    const folder = await temporaryFolder();
    const probe = join(folder.path, 'probe.mjs');
    await writeFile(
      probe,
      `const tries = {
        file: () => import('node:fs').then((fs) => fs.readFileSync('/etc/passwd')),
        folder: () => import('node:fs').then((fs) => fs.readdirSync('/')),
        write: () => import('node:fs').then((fs) => fs.writeFileSync('${folder.path}/x', 'x')),
        child: () => import('node:child_process').then((c) => c.execSync('id')),
        thread: () => import('node:worker_threads').then((w) => new w.Worker('1', { eval: true })),
        code: async () => new Function('return 1')(),
      };
      const reached = [];
      for (const [name, go] of Object.entries(tries)) await go().then(() => reached.push(name), () => {});
      process.send({ reached, env: Object.keys(process.env).filter((name) => !name.startsWith('NODE_CHANNEL')) });`,
    );
    const [command = '', ...args] = buildSandboxCommand(probe);
    const child = spawn(command, args, { cwd: '/', env: {}, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    let problems = '';
    child.stderr!.on('data', (chunk: Buffer) => (problems += chunk.toString()));
    const seen = await new Promise((resolve, reject) => {
      child.once('message', resolve);
      child.once('exit', () => reject(new Error(problems)));
    });
    child.kill();
    await folder.remove();
    const environment = (seen as { env: string[] }).env.filter(
      (name) => !['PWD', 'OLDPWD', 'SHLVL', '_'].includes(name),
    );
    expect({ ...(seen as object), env: environment }).toEqual({ reached: [], env: [] });
  });
});
