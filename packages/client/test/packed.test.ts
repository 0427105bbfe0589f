import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const PROGRAM = `
import { createClient, verifyWebhook, type Message } from '@parlance/client';
import * as node from '@parlance/client/node';

export const client = createClient({ url: 'http://127.0.0.1:3000', token: 'token' });
export const message: Promise<Message> = client.call('GET /messages/{id}', { path: { id: 'id' } });
export const all = [node, verifyWebhook];
// @ts-expect-error: no such endpoint, so the types are not \`any\`.
void client.call('GET /no-such-endpoint');
`;

let project: string;

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'packed-client-'));
  const scope = join(project, 'node_modules', '@parlance');
  mkdirSync(scope, { recursive: true });
  mkdirSync(join(project, 'node_modules', '@types'));
  symlinkSync(resolve('node_modules/@types/node'), join(project, 'node_modules', '@types', 'node'));
  const [file = ''] = execFileSync('npm', ['pack', '--silent', '--pack-destination', project], {
    cwd: 'packages/client',
    encoding: 'utf8',
  })
    .trim()
    .split('\n')
    .slice(-1);
  execFileSync('tar', ['-xzf', join(project, file), '-C', scope]);
  execFileSync('mv', [join(scope, 'package'), join(scope, 'client')]);
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(project, 'main.ts'), PROGRAM);
});

afterAll(() => rmSync(project, { recursive: true, force: true }));

test('the packed client compiles in a strict TypeScript project outside the workspace', () => {
  const compiler = resolve('node_modules/typescript/bin/tsc');
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--types', 'node'];
  let output = '';
  try {
    execFileSync(process.execPath, [compiler, ...options, 'main.ts'], { cwd: project, encoding: 'utf8' });
  } catch (error) {
    output = (error as { stdout: string }).stdout;
  }
  expect(output).toBe('');
});
