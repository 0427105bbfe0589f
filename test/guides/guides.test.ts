import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../deploy/local/ports.ts';
import { newUser, sharedApi } from '../support/shared-servers.ts';
import { eventually } from '../support/eventually.ts';
import type { Product } from '../support/product.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { asJson, inLanguage, isAsSaid, snippetsOf } from './snippets.ts';
import type { Snippet } from './snippets.ts';
import { workplace } from './workplace.ts';
import type { Workplace } from './workplace.ts';

const GUIDES = [
  ...['messages', 'bots', 'webhooks', 'commands', 'forms'],
  ...['permissions', 'contacts', 'queries', 'streams', 'timers', 'events', 'channels', 'files', 'widget'],
];
const SECRET = `whsec_${Buffer.from('a secret for the guide!!').toString('base64')}`;

function expectSaid({ output }: Snippet, printed: string, place: Workplace): void {
  if (output === undefined) return;
  const said = place.localized(output);
  if (!isAsSaid(said, printed)) expect(printed.trim()).toBe(said.trim());
}

async function botVariables() {
  return { BOT_PORT: String(await freePort()), BOT_SECRET: SECRET };
}

async function writeFiles(snippets: readonly Snippet[], { path }: Workplace): Promise<void> {
  for (const { info, code } of snippets) {
    const [, file] = /^file=(\S+)/.exec(info) ?? [];
    if (file) await writeFile(join(path, file), code);
  }
}

/** Returns a real webhook request as JSON. */
async function received(product: Product, receiver: Receiver): Promise<string> {
  const params = { url: receiver.url, secret: SECRET, events: ['message.create.contact.chat.contact'] };
  const service = await product.admin.post('/services', { name: 'for the guide', type: 'webhook', params });
  const body = { type: 'contact', messages: [{ text: 'Hello', role: 'contact' }] };
  await product.admin.post('/conversations', body);
  const found = await eventually(() => receiver.received.find(({ method }) => method === 'POST'));
  await product.admin.request('DELETE', `/services/${service.body.id}`);
  return JSON.stringify({ headers: found.headers, body: found.body });
}

describe.each(GUIDES)('docs/%s.md', (guide) => {
  const source = snippetsOf(guide);
  const requests = source.filter(({ rendered }) => rendered);
  // Commands of the shell may continue the requests.
  const commands = source.filter((one) => one.rendered ?? (one.language === 'sh' && /^run\b/.test(one.info)));
  // A program that the requests need.
  const programs = source.filter(({ language, info }) => language === 'sh' && info === 'run program');
  const snippets = inLanguage(source, 'typescript');
  const runs = snippets.filter(({ info }) => info === 'run');
  const isJavaScript = ({ language }: Snippet) => language === 'js' || language === 'http';
  const first = runs.find(isJavaScript);
  let product: Product;
  let receiver: Receiver;
  let place: Workplace;

  beforeAll(async () => {
    product = await sharedApi(`guide_${guide}`);
    receiver = await startReceiver();
    const { token } = await newUser(product, { role: 'admin' });
    place = await workplace(product, {
      PARLANCE_API_KEY: token,
      ...(await botVariables()),
      WEBHOOK_URL: receiver.url,
      WEBHOOK_SECRET: SECRET,
      ...(guide === 'webhooks' ? { WEBHOOK_REQUEST: await received(product, receiver) } : {}),
    });
  });

  async function runPrograms(own: Product, at: Workplace): Promise<void> {
    if (programs.length === 0) return;
    const { token } = await newUser(own, { role: 'bot' });
    for (const { code } of programs) await at.shell(`export BOT_KEY=${token}\n${code}`);
  }

  afterAll(async () => {
    await place.close();
    await receiver.close();
    await product.close();
  });

  test('the snippets of a guide print the documented output when run in order', async () => {
    expect(runs.length).toBeGreaterThan(2);
    await writeFiles(source, place);
    if (requests.length > 0) await runPrograms(product, place);
    for (const snippet of snippets) {
      const { language, info, code } = snippet;
      if (info !== 'run') continue;
      if (language === 'sh' && requests.length === 0) expectSaid(snippet, await place.shell(code), place);
      if (snippet !== first) continue;
      const all = runs.filter(isJavaScript);
      const printed = await place.runAll(all, 'typescript');
      all.forEach((one, at) => expectSaid(one, printed[at] ?? '', place));
    }
  });

  for (const language of requests.length > 0 ? (['curl', 'python'] as const) : []) {
    test(`the requests of a guide print the documented output with ${language}`, async ({ skip }) => {
      if (language === 'python' && spawnSync('python3', ['--version']).status !== 0)
        skip('there is no Python here');
      const own = await sharedApi(`guide_${guide}_${language}`);
      const { token } = await newUser(own, { role: 'admin' });
      const variables = { PARLANCE_API_KEY: token, WEBHOOK_URL: receiver.url, WEBHOOK_SECRET: SECRET };
      const desk = await workplace(own, { ...variables, ...(await botVariables()) }, { users: language });
      try {
        await writeFiles(source, desk);
        if (language === 'python') await runPrograms(own, desk);
        const run = language === 'curl' ? commands : requests;
        const printed = await desk.runAll(inLanguage(run, language), language);
        run.forEach((one, at) => expectSaid(one, asJson(printed[at] ?? ''), desk));
      } finally {
        await desk.close();
        await own.close();
      }
    });
  }

  for (const snippet of runs.filter(({ language }) => language === 'python')) {
    test('the snippets of a guide print the documented output in Python', async ({ skip }) => {
      const python = join(place.path, 'python/bin/python');
      await place
        .run('python3', ['-m', 'venv', 'python'])
        .then(() => place.run(python, ['-m', 'pip', 'install', '-q', 'standardwebhooks']))
        .catch(() => skip('there is no Python here, or its library cannot be installed'));
      await writeFile(join(place.path, 'snippet.py'), snippet.code);
      expectSaid(snippet, await place.run(python, ['snippet.py']), place);
    });
  }

  for (const snippet of runs.filter(({ language }) => language === 'go')) {
    // On a new machine, Go compiles its standard library for half a minute.
    test.runIf(process.env['PARLANCE_LONG'])(
      'the snippets of a guide print the documented output in Go',
      async ({ skip }) => {
        await place
          .run('go', ['mod', 'init', 'guide'])
          .then(() => place.run('go', ['get', 'github.com/standard-webhooks/standard-webhooks/libraries/go']))
          .catch(() => skip('there is no Go here, or its library cannot be fetched'));
        await writeFile(join(place.path, 'snippet.go'), snippet.code);
        expectSaid(snippet, await place.run('go', ['run', 'snippet.go']), place);
      },
    );
  }
});

describe('docs/messages.md', () => {
  const messages = snippetsOf('messages').filter(({ info }) => info.startsWith('message '));
  let product: Product;
  let conversation: { id: string; slug: string };

  beforeAll(async () => {
    product = await sharedApi('guide_messages');
    conversation = (await product.admin.post('/conversations', { type: 'contact' })).body;
  });

  afterAll(() => product.close());

  test.each(messages)('docs/messages.md has a valid message: $info', async ({ code }) => {
    const me = (await product.admin.get('/users/me')).body.id;
    const body = code.replace('"USER"', JSON.stringify(me));
    const answer = await product.admin.post(`/conversations/${conversation.id}/messages`, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    expect(answer.headers.get('x-ignored-fields')).toBeNull();
    expect(answer.body).toMatchObject(JSON.parse(body));
    const page = await fetch(`${product.origin}/c/${conversation.slug}/messages`);
    const { messages: shown } = (await page.json()) as { messages: { id: string }[] };
    const { isBackchannel, type } = answer.body;
    const isSeen = !isBackchannel && ['chat', 'card', 'postback'].includes(type);
    expect(shown.some(({ id }) => id === answer.body.id)).toBe(isSeen);
  });
});
