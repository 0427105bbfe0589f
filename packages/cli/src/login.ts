import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { ParlanceError, createClient } from '@parlance/client';
import { SetupError } from './command.ts';
import type { CliCommand } from './command.ts';
import { DEFAULT_URL, createSignedInClient, endSession, findUrl, saveSession } from './session.ts';

export const login: CliCommand = {
  summary: 'Sign in and store the session.',
  usage: '[--url URL] [--email EMAIL] [--api-key KEY]',
  help: `Prompts for a missing email, password or one-time password. PARLANCE_PASSWORD and PARLANCE_OTP
replace the prompts. Stores the refresh token or the API key in your configuration folder, in a
file that only you can read.

  --url URL      address of Parlance (default PARLANCE_URL, or http://localhost:3000)
  --email EMAIL  email of the user
  --api-key KEY  API key, in place of email and password`,
  options: { url: { type: 'string' }, email: { type: 'string' }, 'api-key': { type: 'string' } },
  maxWords: 0,
  async run(context) {
    const { url: given, email, 'api-key': apiKey } = context.options;
    const url = given ?? process.env['PARLANCE_URL'] ?? DEFAULT_URL;
    const file = apiKey ? await signInWithKey(url, apiKey) : await signInWithPassword(url, email);
    context.say.line(`Signed in at ${url}. The session is stored in ${file}.`, { signedIn: url, file });
  },
};

export const logout: CliCommand = {
  summary: 'End the session and delete it from this machine.',
  usage: '',
  help: 'An API key stays valid: an admin revokes it with DELETE /users/{id}/apikeys/{key}.',
  options: {},
  maxWords: 0,
  async run({ say }) {
    const url = await endSession();
    say.line(`Signed out at ${url}.`, { signedOut: url });
  },
};

export const whoami: CliCommand = {
  summary: 'Print the user, the role and the organization of the session.',
  usage: '',
  help: 'Prints the user of PARLANCE_API_KEY, if it is set.',
  options: {},
  maxWords: 0,
  async run({ say }) {
    const url = findUrl();
    const { id, name, email, role, organization } = await createSignedInClient().call('GET /users/me');
    const words = [name || email || 'A user without a name', `(${role})`, `of organization ${organization}`];
    const data = { url, id, name, email, role, organization };
    say.line(`${words.join(' ')} at ${url}`, data, [`  user ${id}`]);
  },
};

async function signInWithKey(url: string, apiKey: string): Promise<string> {
  await createClient({ url, token: apiKey }).call('GET /users/me');
  return saveSession({ url, apiKey });
}

async function signInWithPassword(url: string, given: string | undefined): Promise<string> {
  const email = given ?? (await prompt('Email: '));
  const password = process.env['PARLANCE_PASSWORD'] ?? (await prompt('Password: ', { hidden: true }));
  const client = createClient({ url });
  const body = { email, password, otp: process.env['PARLANCE_OTP'] || undefined };
  const session = await client.call('POST /auth/token', { body }).catch(async (error: unknown) => {
    if (!(error instanceof ParlanceError) || error.code !== 'otp_required') throw error;
    return client.call('POST /auth/token', { body: { ...body, otp: await prompt('One-time password: ') } });
  });
  const { token, refreshToken, expiresAt } = session;
  return saveSession({ url, email, token, refreshToken, expiresAt });
}

async function prompt(question: string, { hidden = false } = {}): Promise<string> {
  if (!process.stdin.isTTY) {
    throw new SetupError(`${question.replace(': ', '')} is missing, and standard input is not a terminal.`);
  }
  process.stderr.write(question);
  // The terminal echoes to this stream. Passwords are not echoed.
  const output = new Writable({
    write: (chunk: Buffer, _, done) => (hidden ? done() : process.stderr.write(chunk, () => done())),
  });
  const terminal = createInterface({ input: process.stdin, output, terminal: true });
  try {
    return await terminal.question('');
  } finally {
    terminal.close();
    if (hidden) process.stderr.write('\n');
  }
}
