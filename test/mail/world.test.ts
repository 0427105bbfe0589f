import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { simpleParser } from 'mailparser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../deploy/local/ports.ts';
import { untilDelivery } from '../support/channels.ts';
import { eventually } from '../support/eventually.ts';
import { startLoneApi } from '../support/product.ts';
import type { LoneApi, OwnProduct } from '../support/product.ts';
import { untilActive } from '../support/services.ts';
import { startApi } from '../support/shared-servers.ts';
import { startCuttingProxy } from './cutting-proxy.ts';
import type { CuttingProxy } from './cutting-proxy.ts';
import { OURS, WORLD, execute, startPostfix } from './postfix.ts';
import type { Postfix } from './postfix.ts';

const SUPPORT = `support@${OURS}`;

/** Chapter 15 of the specification, with Postfix, opendkim, swaks and mutt. */
describe('mail with the programs of Debian', () => {
  let postfix: Postfix;
  let product: OwnProduct;
  let proxy: CuttingProxy;
  let dkim: { name: string; value: string };
  let service: string;
  let restarted: LoneApi | undefined;
  let mailPort: number;

  beforeAll(async () => {
    postfix = await startPostfix(['ada', 'bob', 'cleo', 'dora', 'emil']);
    mailPort = await freePort();
    proxy = await startCuttingProxy(mailPort);
    product = await startApi('mail_world', {
      ...{ MAIL_PORT: String(mailPort), MAIL_DOMAIN: 'in.example.com', MAIL_PROTOCOL: 'lmtp' },
      FILES_QUOTA_MIB: '1',
    });
    const params = {
      ...{ url: `smtp://127.0.0.1:${postfix.port}`, address: SUPPORT },
      ...{ username: 'support', password: 'not asked for', dkimSelector: 'parlance' },
    };
    const made = await product.admin.post('/services', { name: 'Mail', type: 'email', params });
    const body = await untilActive(product.admin, made);
    service = body.id;
    dkim = body.dkimRecord;
    await postfix.route({
      transports: { 'in.example.com': { protocol: 'lmtp', port: proxy.port } },
      aliases: { support: body.inboundAddress, gone: `missing@${WORLD}` },
    });
  });
  afterAll(async () => {
    await restarted?.close();
    await product.close();
    await proxy.close();
    await postfix.stop();
  });

  const admin = () => product.admin;
  const address = (user: string) => `${user}@${WORLD}`;
  const swaks = (from: string, ...more: string[]) =>
    execute('swaks', [
      ...['--server', `127.0.0.1:${postfix.port}`, '--from', from, '--to', SUPPORT],
      ...more,
    ]);
  const findConversation = (email: string) =>
    eventually(
      async () => {
        const { body } = await admin().get(`/contacts?profile.email=${encodeURIComponent(email)}`);
        return body[0]?.conversation as string | undefined;
      },
      { withinMs: 60_000 },
    );
  const texts = async (conversation: string): Promise<string[]> => {
    const { body } = await admin().get(`/conversations/${conversation}/messages?sort=sequence`);
    return body.map(({ role, text }: { role: string; text: string }) => `${role}: ${text}`);
  };
  const untilTexts = (conversation: string, count: number) =>
    eventually(
      async () => {
        const found = await texts(conversation);
        return found.length >= count && found;
      },
      { withinMs: 60_000 },
    );
  const reply = async (conversation: string, text: string) => {
    const message = { conversation, text, role: 'agent', service };
    const { status, body } = await admin().post('/messages', message);
    expect(status).toBe(201);
    return body.id as string;
  };
  const untilMails = (user: string, count: number) =>
    eventually(
      async () => {
        const found = await postfix.readMailbox(user);
        return found.length >= count && found;
      },
      { withinMs: 60_000 },
    );
  const mutt = async (user: string, keys: string, edit: string) => {
    const editor = join(postfix.folder, `edit-${user}.sh`);
    await writeFile(editor, `#!/bin/sh\nsed -i '1i ${edit}' "$1"\n`);
    await chmod(editor, 0o755);
    const rc = join(postfix.folder, `muttrc-${user}`);
    const settings = [
      ...[
        `set folder="${postfix.folder}"`,
        'set mbox_type=Maildir',
        'set copy=no',
        'set confirmappend=no',
        'set use_envelope_from=yes',
      ],
      ...[`set from="${address(user)}"`, `set smtp_url="smtp://127.0.0.1:${postfix.port}/"`],
      ...[
        'set ssl_starttls=no',
        'set ssl_force_tls=no',
        `set editor="${editor}"`,
        'set fast_reply=yes',
        'set include=yes',
        'set reply_to=yes',
        'set recall=no',
      ],
      ...['set autoedit=yes', 'set abort_unmodified=no', 'set quit=yes', 'set move=no', 'set sort=threads'],
      ...['set index_format="thread-of-%E"', 'set header_cache=""', 'set hostname=world.example'],
    ];
    await writeFile(rc, `${settings.join('\n')}\n`);
    const folder = join(postfix.folder, 'mail', user);
    const command = `TERM=vt100 mutt -n -F ${rc} -f ${folder} -e 'push "${keys}"'`;
    // mutt needs a terminal.
    return execute('timeout', ['30', 'script', '-qec', command, '/dev/null']);
  };

  test('a mail from swaks by Postfix is posted, and opendkim accepts the signature of the reply', async () => {
    await swaks(address('ada'), '--header', 'Subject: Lamp', '--body', 'Is the lamp in stock?');
    const conversation = await findConversation(address('ada'));
    expect(await untilTexts(conversation, 1)).toEqual(['contact: Is the lamp in stock?']);
    await reply(conversation, 'Yes, ten of them.');
    const [raw = Buffer.alloc(0)] = await untilMails('ada', 1);
    expect(await simpleParser(raw)).toMatchObject({ subject: 'Re: Lamp', text: 'Yes, ten of them.' });
    const [mail, keys, config] = ['mail.eml', 'keys', 'opendkim.conf'].map((name) =>
      join(postfix.folder, name),
    ) as [string, string, string];
    await writeFile(mail, raw);
    await writeFile(keys, `${dkim.name} ${dkim.value}\n`);
    await writeFile(config, `Mode v\nTestPublicKeys ${keys}\n`);
    const judge = () => execute('opendkim', ['-x', config, '-vv', '-t', mail]);
    expect(await judge()).toMatch(/verification .*succeeded/);
    await writeFile(mail, raw.toString('latin1').replace('ten of them', 'two of them'), 'latin1');
    await expect(judge().then((output) => /succeeded/.test(output))).resolves.toBe(false);
  });

  test('mutt shows the replies as one thread, and its reply is posted without the quote', async () => {
    await swaks(address('bob'), '--header', 'Subject: Chair', '--body', 'Is the chair blue?');
    const conversation = await findConversation(address('bob'));
    await untilTexts(conversation, 1);
    await reply(conversation, 'It is green.');
    await untilMails('bob', 1);
    await mutt('bob', 'gyq', 'Then I take two of them.');
    const found = await untilTexts(conversation, 3);
    expect(found[2]).toBe('contact: Then I take two of them.');
    const { body } = await admin().get(`/conversations/${conversation}/messages?role=contact&sort=-sequence`);
    expect(body[0].meta.email.isCut).toBe(true);
    await reply(conversation, 'Thank you.');
    await untilMails('bob', 2);
    expect(await mutt('bob', 'q', '')).toContain('thread-of-2');
  });

  test('a bounce by Postfix fails the message, and the next message to the address is refused', async () => {
    // Postfix accepts the address, and finds out later that the mailbox is missing.
    const gone = `gone@${OURS}`;
    const { body } = await admin().post('/conversations', {
      ...{ type: 'contact', contact: { profile: { email: gone } } },
      messages: [{ text: 'Hello', role: 'agent', service }],
    });
    const failed = await untilDelivery(admin(), body.messages[0], 'failed');
    expect(failed.delivery.error.code).toBe('5.1.1');
    const next = await admin().post('/messages', {
      conversation: body.id,
      text: 'Hi',
      role: 'agent',
      service,
    });
    expect([next.status, next.body.code]).toEqual([422, 'unreachable']);
  });

  test('Postfix keeps a mail while the files of the organization are full, and delivers it afterwards', async () => {
    const large = `${'A long line of text. '.repeat(3)}\n`.repeat(11_000);
    const body = join(postfix.folder, 'large.txt');
    await writeFile(body, large);
    await swaks(address('cleo'), '--header', 'Subject: First', '--body', `@${body}`);
    const first = await findConversation(address('cleo'));
    await untilTexts(first, 1);
    await swaks(address('dora'), '--header', 'Subject: Second', '--body', `@${body}`);
    await eventually(async () => (await postfix.readLog()).includes('4.2.2 The mailbox is full'), {
      withinMs: 60_000,
    });
    expect((await admin().request('DELETE', `/conversations/${first}`)).status).toBe(204);
    const second = await findConversation(address('dora'));
    expect(await untilTexts(second, 1)).toHaveLength(1);
    await admin().request('DELETE', `/conversations/${second}`);
  });

  test.each(['before the mail', 'after the reply'] as const)(
    'a mail is posted exactly once if the API is killed between DATA and 250: %s',
    async (when) => {
      const kill = () => (restarted ?? product.api).kill();
      const cut = proxy.cutNext(when, kill);
      const from = `killed-${when.split(' ')[0]}@${WORLD}`;
      await swaks(from, '--header', 'Subject: Kill', '--body', 'Once only');
      await cut;
      const { environment } = product;
      restarted = await startLoneApi(environment, { PORT: environment['PORT'] });
      const conversation = await findConversation(from);
      // A mail that comes later is posted later, so a repetition would be seen before it.
      await swaks(from, '--header', 'Subject: Kill', '--body', 'The next mail');
      expect(await untilTexts(conversation, 2)).toEqual(['contact: Once only', 'contact: The next mail']);
    },
  );
});
