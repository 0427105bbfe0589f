import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { simpleParser } from 'mailparser';
import type { ParsedMail } from 'mailparser';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  from: string;
  to: string[];
  raw: Buffer;
  mail: ParsedMail;
}

/** A reply of the server, such as 550, in place of the usual reply. */
export interface Refusal {
  responseCode: number;
  message: string;
}

interface Steps {
  recipient?: Refusal;
  /** Takes the mail, and closes the connection in place of the reply. */
  isCut?: boolean;
}

/** The mail server of a channel: it takes mail for everybody, and keeps it. */
export class MailServer {
  readonly received: ReceivedMail[] = [];
  readonly user = 'support@example.com';
  password = 'correct horse';
  /** Access tokens that log in (XOAUTH2). */
  readonly tokens = new Set<string>();
  /** Steps by recipient. The first step serves the next mail. */
  readonly next = new Map<string, Steps[]>();
  port = 0;
  readonly #server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authMethods: ['PLAIN', 'LOGIN', 'XOAUTH2'],
    // The connection is on this machine.
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    size: 20 * 1024 * 1024,
    onAuth: ({ method, username, password, accessToken = '' }, _, done) => {
      const isRight = method === 'XOAUTH2' ? this.tokens.has(accessToken) : password === this.password;
      if (isRight && username === this.user) done(null, { user: username });
      else if (method === 'XOAUTH2')
        done(null, { data: { status: '401', schemes: 'bearer', scope: 'mail' } });
      else done(toError({ responseCode: 535, message: '5.7.8 Authentication credentials invalid' }));
    },
    onRcptTo: ({ address }, _, done) => {
      const [step] = this.next.get(address) ?? [];
      if (!step?.recipient) done();
      else {
        this.next.get(address)?.shift();
        done(toError(step.recipient));
      }
    },
    onData: (stream, { envelope }, done) => {
      void buffer(stream).then(async (raw) => {
        const to = envelope.rcptTo.map(({ address }) => address);
        const step = this.next.get(to[0] ?? '')?.shift();
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        this.received.push({ from, to, raw, mail: await simpleParser(raw) });
        if (!step?.isCut) done();
        else this.disconnect();
      });
    },
  });

  async start(port = 0): Promise<this> {
    // Closed connections are a part of the tests.
    this.#server.on('error', () => undefined);
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', resolve));
    this.port = (this.#server.server.address() as AddressInfo).port;
    return this;
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#server.close(resolve));
  }

  /** Returns the params of a channel that sends by this server. */
  params(more: object = {}) {
    return {
      url: `smtp://127.0.0.1:${this.port}`,
      address: 'support@example.com',
      username: this.user,
      password: this.password,
      ...more,
    };
  }

  disconnect(): void {
    for (const connection of this.#server.connections) connection.close();
  }

  sentTo(address: string): ReceivedMail[] {
    return this.received.filter(({ to }) => to.includes(address));
  }
}

function toError({ responseCode, message }: Refusal): Error {
  return Object.assign(new Error(message), { responseCode });
}
