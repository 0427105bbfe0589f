import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createExpressionPool } from '../../expressions/pool.ts';
import type { ExpressionPool } from '../../expressions/pool.ts';
import { LookupRefusal } from '../../expressions/run.ts';
import { commandWithin } from '../../expressions/spawn.ts';
import { eventually } from '../support/eventually.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { HOSTILE } from './hostile-expressions.ts';

const LINE = ['root', 'o'.repeat(24)];
const ENDLESS = '($f := function($x) { $f($x) }; $f(1))';

/** There are no records here; test/events/lookups.test.ts has the real answers. */
function lookFor({ filter }: { filter: string }): Promise<undefined> {
  if (/\$|commit/.test(filter)) return Promise.reject(new LookupRefusal('no such field'));
  return Promise.resolve(undefined);
}

describe('the pool', () => {
  let pool: ExpressionPool;
  /**
   * Three seconds are promised; a machine that is busy with other things gets as much more as a
   * start takes it.
   */
  let promisedMs = 3_000;

  beforeAll(async () => {
    const begun = performance.now();
    pool = createExpressionPool({ size: 2 });
    pool.warm();
    await run('1');
    promisedMs += 5 * (performance.now() - begun);
  });

  afterAll(() => pool.close());

  function run(expression: string, { body = null, line = LINE }: { body?: unknown; line?: string[] } = {}) {
    return pool.evaluate({ expression, line, body: JSON.stringify(body), look: lookFor });
  }

  test('gives the result of an expression as JSON, and nothing where it gives nothing', async () => {
    expect(await run('a.b', { body: { a: { b: [1, 'x', null, true] } } })).toEqual({
      result: '[1,"x",null,true]',
    });
    expect(await run('missing', { body: {} })).toEqual({});
    expect(await run('null')).toEqual({ result: 'null' });
  });

  test('tells position and reason of an expression that cannot be read, without running it', async () => {
    expect(await pool.check({ expression: '$x := ', line: LINE })).toMatchObject({
      fault: { position: expect.any(Number), message: expect.stringMatching(/end of expression/) },
    });
    expect(await pool.check({ expression: ENDLESS, line: LINE })).toEqual({});
    const deep = '('.repeat(200_000);
    expect(await pool.check({ expression: deep, line: LINE })).toHaveProperty('fault');
  });

  test('keeps nothing from one run to the next, whatever the one before did to what all share', async () => {
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

  test('ends what runs too long or needs too much, replaces what that cost, and goes on', async () => {
    const begun = performance.now();
    expect(await run(ENDLESS)).toMatchObject({ fault: { code: 'time' } });
    expect(performance.now() - begun).toBeLessThan(promisedMs);
    expect(await run("$length($pad('', 500000000, 'a'))")).toMatchObject({ fault: { code: 'memory' } });
    expect(await run('1 + 1')).toEqual({ result: '2' });
    await eventually(() => pool.pids().length === 2);
  });

  test('replaces a process that somebody killed, and does its run again', async () => {
    const lost = pool.pids();
    const running = run('$sum([1..100000])');
    for (const pid of lost) process.kill(pid, 'SIGKILL');
    expect(await running).toEqual({ result: '5000050000' });
    await eventually(() => pool.pids().length === 2 && pool.pids().every((pid) => !lost.includes(pid)));
  });

  test('lets other organizations through while one keeps it busy', async () => {
    const busy = [1, 2, 3, 4].map(() => run(ENDLESS, { line: ['root', 'hostile'] }));
    let done = false;
    void Promise.all(busy).then(() => (done = true));
    expect(await run('1 + 1')).toEqual({ result: '2' });
    expect(done).toBe(false);
    await Promise.all(busy);
  });

  test('asks for records only as long as it runs, and stops the clock meanwhile', async () => {
    const slow = await pool.evaluate({
      expression: '$conversation({"id": "x"}).name & $contact({"id": "y"}).name',
      line: LINE,
      body: 'null',
      async look({ name }) {
        await new Promise((resolve) => setTimeout(resolve, 1_300));
        return JSON.stringify({ name });
      },
    });
    expect(slow).toEqual({ result: '"conversationcontact"' });
  });

  test('tells an expression that a filter makes no sense, and the caller that the store is down', async () => {
    const asking = { expression: '$contact({"x": 1})', line: LINE, body: 'null' };
    const refused = pool.evaluate({
      ...asking,
      look: () => Promise.reject(new LookupRefusal('no such field')),
    });
    expect(await refused).toMatchObject({ fault: { message: 'no such field' } });
    const down = pool.evaluate({ ...asking, look: () => Promise.reject(new Error('down')) });
    await expect(down).rejects.toThrow('down');
    expect(await run('1 + 1')).toEqual({ result: '2' });
  });

  test.each(HOSTILE)('survives %s', async (_, expression) => {
    const begun = performance.now();
    const evaluation = await run(expression, { body: { a: 1 } });
    expect(performance.now() - begun).toBeLessThan(promisedMs);
    expect(evaluation).toHaveProperty('fault');
  });

  test('refuses what waits when it is closed, and leaves no process behind', async () => {
    const closing = createExpressionPool({ size: 1 });
    const waiting = [1, 2].map(() =>
      closing.check({ expression: '1', line: LINE }).then(
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

describe('a process for expressions', () => {
  test('may read nothing but its own code, start nothing, and knows no environment', async () => {
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
    const [command = '', ...args] = commandWithin(probe);
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
