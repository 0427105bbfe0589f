import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, test } from 'vitest';
import { connectMailbox } from '../../deliveries/channels/email/imap.ts';
import type { ImapError } from '../../deliveries/channels/email/imap.ts';
import { createWebhookClient } from '../../deliveries/http/client.ts';
import { TokenServer } from '../support/token-server.ts';

/** An IMAP server that takes access tokens, without TLS and without mails. */
class ImapServer {
  readonly commands: string[] = [];
  readonly tokens = new Set<string>();
  port = 0;
  readonly #sockets = new Set<Socket>();
  readonly #server: Server = createServer((socket) => this.#serve(socket));

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.port = (this.#server.address() as AddressInfo).port;
    return this;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    const say = (line: string) => socket.write(`${line}\r\n`);
    let refused = '';
    createInterface({ input: socket }).on('line', (line) => {
      const [tag = '', command = '', ...words] = line.split(' ');
      this.commands.push(command.toUpperCase());
      const token = Buffer.from(words[1] ?? '', 'base64').toString();
      if (refused !== '') {
        say(`${refused} NO [AUTHENTICATIONFAILED] The token is not accepted`);
        refused = '';
      } else if (command === 'AUTHENTICATE' && ![...this.tokens].some((one) => token.includes(one))) {
        refused = tag;
        say(`+ ${Buffer.from('{"status":"401"}').toString('base64')}`);
      } else {
        if (command === 'CAPABILITY') say('* CAPABILITY IMAP4rev1 SASL-IR AUTH=XOAUTH2');
        if (command === 'LIST') say('* LIST () "/" INBOX');
        if (command === 'EXAMINE') say('* OK [UIDVALIDITY 7] valid');
        if (command === 'EXAMINE') say('* OK [UIDNEXT 5] next');
        say(`${tag} OK done`);
      }
    });
    say('* OK ready');
  }
}

const sockets = createWebhookClient({
  timeoutMs: 5_000,
  allowedNetworks: ['127.0.0.0/8'],
  version: '0.0.0',
});

function toAccount(params: object) {
  const refreshToken = { value: 'refresh 1', replace: () => Promise.resolve() };
  return {
    ...{ id: 'a channel', secret: 'client secret', openRefreshToken: () => Promise.resolve(refreshToken) },
    params: { username: 'support@example.com', ...params },
  };
}

/** Spec 15.13. */
describe('the connection with a mailbox', () => {
  const opened: { close: () => Promise<void> }[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((one) => one.close()));
  });
  const startServers = async () => {
    const server = await new ImapServer().start();
    const tokenServer = await new TokenServer(server.tokens).start();
    opened.push(server, tokenServer);
    return { server, tokenServer };
  };

  test('a refused access token is replaced once, and INBOX is opened read-only', async () => {
    const { server, tokenServer } = await startServers();
    const params = {
      imapUrl: `imap://127.0.0.1:${server.port}`,
      ...{ tokenUrl: tokenServer.url, clientId: tokenServer.client.clientId },
    };
    (await connectMailbox(sockets, toAccount(params))).close();
    server.tokens.clear();
    const connection = await connectMailbox(sockets, toAccount(params));
    expect(await connection.examine()).toEqual({ uidValidity: '7', newestUid: 4 });
    connection.close();
    expect(tokenServer.requests).toHaveLength(2);
    expect(server.commands).not.toContain('SELECT');
  });

  test('a server of another machine without STARTTLS gets no login', async () => {
    const { server } = await startServers();
    const account = toAccount({ imapUrl: `imap://imap.example.com:${server.port}` });
    const resolved = { ...sockets, findAddresses: () => Promise.resolve(['127.0.0.1']) };
    const error = await connectMailbox(resolved, account).catch((one: unknown) => one);
    expect((error as ImapError).failure.step).toBe('server');
    expect(server.commands).toContain('CAPABILITY');
    expect(server.commands.filter((one) => one === 'AUTHENTICATE' || one === 'LOGIN')).toEqual([]);
  });

  test('a private address is not contacted', async () => {
    const account = toAccount({ imapUrl: 'imaps://10.0.0.1' });
    const error = await connectMailbox(sockets, account).catch((one: unknown) => one);
    expect((error as ImapError).failure).toMatchObject({
      step: 'server',
      text: expect.stringContaining('not public') as string,
    });
  });
});
