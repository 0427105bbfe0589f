import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';
import type { SMTPServerOptions } from 'smtp-server';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openPool, verifyLogin } from '../../../deliveries/channels/email/transport.ts';
import { newId } from '../../../store/queries/identifier.ts';
import { generateCertificates } from '../../support/certificates.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let certificate: { key: string; cert: string };

beforeAll(async () => {
  folder = await temporaryFolder('parlance-smtp-tls-');
  certificate = await generateCertificates(folder.path);
});
afterAll(() => folder.remove());

/** Starts an SMTP server, and records what it got. */
async function startServer(options: SMTPServerOptions) {
  const logins: { password: string; isEncrypted: boolean }[] = [];
  const mails: { isEncrypted: boolean }[] = [];
  const server = new SMTPServer({
    ...{ disableReverseLookup: true, allowInsecureAuth: true, closeTimeout: 100, ...options },
    onAuth: ({ password }, { secure }, done) => {
      logins.push({ password: password ?? '', isEncrypted: secure });
      done(null, { user: 'support' });
    },
    onData: (stream, { secure }, done) => {
      stream.resume().on('end', () => {
        mails.push({ isEncrypted: secure });
        done();
      });
    },
  });
  // Refused certificates are a part of the tests.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise((resolve) => server.close(resolve)));
  const { port } = server.server.address() as AddressInfo;
  const sockets = {
    // Every host is this machine.
    openSocket: () =>
      new Promise<Socket>((resolve, reject) => {
        const socket = connect(port, '127.0.0.1', () => resolve(socket)).once('error', reject);
      }),
    requestProvider: () => Promise.reject(new Error('not used')),
  };
  const account = (url: string) => ({
    ...{
      id: newId(),
      secret: 'correct horse',
      openRefreshToken: () => Promise.reject(new Error('not used')),
    },
    params: { url: `${url}:${port}`, address: 'support@example.com', username: 'support' },
  });
  return { logins, mails, sockets, account };
}

/** Section 15.10 of the specification. */
test.each([
  ['smtps', true],
  ['smtp', false],
])('a mail to a server of %s is sent over TLS, as is the login', async (scheme, secure) => {
  const { logins, mails, sockets, account } = await startServer({ secure, ...certificate });
  const own = account(`${scheme}://localhost`);
  expect(await verifyLogin(sockets, own)).toBeNull();
  const pool = await openPool(sockets, own);
  await pool.sendMail({ from: 'support@example.com', to: 'ada@example.com', text: 'Hello' });
  pool.close();
  expect(new Set(logins.map((login) => JSON.stringify(login)))).toEqual(
    new Set([JSON.stringify({ password: 'correct horse', isEncrypted: true })]),
  );
  expect(mails).toEqual([{ isEncrypted: true }]);
});

test.each([
  ['that offers no STARTTLS', 'smtp', { disabledCommands: ['STARTTLS'] }],
  ['whose certificate is for another host, by STARTTLS', 'smtp', {}],
  ['whose certificate is for another host, by smtps', 'smtps', { secure: true }],
] satisfies [string, string, SMTPServerOptions][])(
  'no password is sent to another machine %s',
  async (_, scheme, options) => {
    const { logins, mails, sockets, account } = await startServer({ ...certificate, ...options });
    const other = account(`${scheme}://mail.example.com`);
    expect(await verifyLogin(sockets, other)).toMatchObject({ step: 'connection' });
    const pool = await openPool(sockets, other);
    const mail = { from: 'support@example.com', to: 'ada@example.com', text: 'Hello' };
    await expect(pool.sendMail(mail)).rejects.toThrow();
    pool.close();
    expect([logins, mails]).toEqual([[], []]);
  },
);
