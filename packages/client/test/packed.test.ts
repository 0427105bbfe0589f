import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** Compiles only if every marked line is an error and no other line is one. */
const PROGRAM = `
import { createBot, createClient, verifyWebhook, type Message } from '@parlance/client';
import * as node from '@parlance/client/node';

export const client = createClient({ url: 'http://127.0.0.1:3000', token: 'token', strict: false });
export const message: Promise<Message> = client.call('GET /messages/{id}', { path: { id: 'id' } });
export const all = [node, verifyWebhook];
const path = { id: 'id' };

export const one: Promise<Message> = client.call('POST /conversations/{id}/messages', { path, body: { text: 'x' } });
export const many: Promise<Message[]> = client.call('POST /conversations/{id}/messages', {
  path,
  body: [{ text: 'x', isBackchannel: false }],
});
export async function details(): Promise<[number, string | null, Message]> {
  const { status, headers, body } = await client.callWithResponse('GET /messages/{id}', { path });
  return [status, headers.get('x-hint'), body];
}
// @ts-expect-error: no such endpoint, so the types are not \`any\`.
void client.call('GET /no-such-endpoint');
// @ts-expect-error: a misspelt optional field.
void client.call('POST /conversations/{id}/messages', { path, body: { text: 'x', isBackchanel: false } });
// @ts-expect-error: a misspelt optional field of a message in a list.
void client.call('POST /conversations/{id}/messages', { path, body: [{ text: 'x', isBackchanel: false }] });
// @ts-expect-error: a misspelt optional field.
void client.call('POST /conversations', { body: { type: 'contact', nme: 'x' } });
// @ts-expect-error: a misspelt field of the contact.
void client.call('POST /conversations', { body: { contact: { extrenalId: 'x' } } });
// @ts-expect-error: a stream is not a call.
void client.call('GET /conversations/stream');
// @ts-expect-error: a batch is not a call.
void client.call('POST /batch', { body: { path: '/contacts' } });
// @ts-expect-error: a misspelt field of a line.
void client.batch([{ paht: '/contacts' }]);

export const bot = createBot({ token: 'token', secret: 'secret' })
  .on('message.create.*.chat.contact', ({ message, reply }) => reply(message.text))
  .on('>price', ({ text, message }) => text + message.text)
  .on('user.login', ({ event }) => event.id)
  .on('*', () => undefined);
// @ts-expect-error: a misspelt operation.
bot.on('message.crate.contact', () => undefined);
// @ts-expect-error: a misspelt message type.
bot.on('message.create.contact.chatt', () => undefined);
// @ts-expect-error: the event of a contact has no message.
bot.on('contact.create', ({ message }) => message.text);

export async function importAll(): Promise<number[]> {
  const statuses: number[] = [];
  const lines = [{ path: '/contacts', body: { profile: { name: 'Ada' } } }, { method: 'DELETE' as const, path: '/x' }];
  for await (const { status } of client.batch(lines, { idempotencyKey: 'monday' })) statuses.push(status);
  return statuses;
}

export async function listen(): Promise<void> {
  for await (const { data } of client.changes()) data.id.trim();
  for await (const { event, data } of client.stream('id')) if (event === 'read') data.sequence.toFixed();
}
`;

const RUN = `
import { createClient } from '@parlance/client';
import { nodeListener } from '@parlance/client/node';

const client = createClient({
  url: 'http://parlance.example',
  fetch: async (url, { headers }) => new Response(JSON.stringify(headers), { status: 201, headers: { 'X-Hint': 'h' } }),
});
const { status, headers, body } = await client.callWithResponse('POST /messages', { body: { text: 'x' } });
console.log(JSON.stringify([typeof nodeListener, status, headers.get('x-hint'), body.prefer]));
`;

let project: string;

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'packed-client-'));
  const scope = join(project, 'node_modules', '@parlance');
  mkdirSync(scope, { recursive: true });
  mkdirSync(join(project, 'node_modules', '@types'));
  symlinkSync(resolve('node_modules/@types/node'), join(project, 'node_modules', '@types', 'node'));
  const workspaces = ['-w', 'packages/client', '-w', 'packages/process-lock', '-w', 'packages/cli'];
  execFileSync('npm', ['pack', '--silent', ...workspaces, '--pack-destination', project]);
  for (const name of ['client', 'process-lock', 'cli']) {
    const file = readdirSync(project).find((one) => one.startsWith(`parlance-${name}-`)) ?? '';
    execFileSync('tar', ['-xzf', join(project, file), '-C', scope]);
    execFileSync('mv', [join(scope, 'package'), join(scope, name)]);
  }
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(project, 'main.ts'), PROGRAM);
});

afterAll(() => rmSync(project, { recursive: true, force: true }));

const STRICT = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];

test.each([
  ['node16', ['--module', 'node16']],
  ['bundler', ['--module', 'esnext', '--moduleResolution', 'bundler']],
])(
  'the packed client compiles in a strict TypeScript project outside the workspace, and its types find mistakes, with module resolution %s',
  (_, resolution) => {
    const compiler = resolve('node_modules/typescript/bin/tsc');
    const options = ['--noEmit', ...STRICT, ...resolution, '--target', 'es2022', '--types', 'node'];
    let output = '';
    try {
      execFileSync(process.execPath, [compiler, ...options, 'main.ts'], { cwd: project, encoding: 'utf8' });
    } catch (error) {
      output = (error as { stdout: string }).stdout;
    }
    expect(output).toBe('');
  },
);

test('the types of the packed client import no TypeScript sources', () => {
  const dist = join(project, 'node_modules/@parlance/client/dist');
  const declarations = readdirSync(dist).filter((name) => name.endsWith('.d.ts'));
  expect(declarations).toContain('index.d.ts');
  for (const name of declarations) {
    expect(readFileSync(join(dist, name), 'utf8'), name).not.toMatch(/(from|import\()\s*['"][^'"]*\.ts['"]/);
  }
});

test('the packed client runs outside the workspace, is strict by default and returns status and headers', () => {
  writeFileSync(join(project, 'run.mjs'), RUN);
  const output = execFileSync(process.execPath, ['run.mjs'], { cwd: project, encoding: 'utf8' });
  expect(JSON.parse(output)).toEqual(['function', 201, 'h', 'handling=strict']);
});

test('the packed command runs outside the workspace, and its README names every package that it needs', () => {
  const cli = join(project, 'node_modules/@parlance/cli');
  const { bin, dependencies } = JSON.parse(readFileSync(join(cli, 'package.json'), 'utf8'));
  const output = execFileSync(process.execPath, [join(cli, bin.parlance), '--help'], { encoding: 'utf8' });
  expect(output).toContain('parlance trigger');
  const readme = readFileSync(join(cli, 'README.md'), 'utf8');
  for (const name of Object.keys(dependencies)) {
    expect(readme, name).toContain(name);
    expect(readme, name).toContain(`-w ${name.replace('@parlance', 'packages')}`);
  }
});
