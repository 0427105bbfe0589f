import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { newUser, sharedApi } from '../support/shared-servers.ts';
import type { Product } from '../support/product.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import type { TcpProxy } from '../support/tcp-proxy.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** The running command `parlance`. */
export interface Running {
  out: () => string;
  err: () => string;
  /** The exit code. */
  ended: Promise<number | null>;
  /** Ends the command as Ctrl-C does and returns its exit code. */
  stop: () => Promise<number | null>;
}

/** A product, a proxy to it, and a folder to run the command in. */
export interface Desk {
  product: Product;
  proxy: TcpProxy;
  /** The working directory, which also contains the session. */
  folder: string;
  /**
   * Starts the program `parlance`. By default, `env` contains the API key of an admin.
   * A given `env` is used without this key.
   */
  begin: (args: string[], env?: NodeJS.ProcessEnv) => Running;
  run: (
    args: string[],
    env?: NodeJS.ProcessEnv,
  ) => Promise<{ code: number | null; out: string; err: string }>;
  newConversation: () => Promise<string>;
  /** Posts a message as the contact. */
  says: (conversation: string, text: string) => Promise<unknown>;
  close: () => Promise<void>;
}

export async function commandDesk(name: string): Promise<Desk> {
  const product = await sharedApi(name);
  const proxy = await startTcpProxy({ port: Number(new URL(product.origin).port) });
  const folder = await temporaryFolder('parlance-command-');
  const { token } = await newUser(product, { role: 'admin' });
  const base = { XDG_CONFIG_HOME: folder.path, PARLANCE_URL: `http://127.0.0.1:${proxy.port}` };
  const running: Running[] = [];

  const begin: Desk['begin'] = (args, env = { PARLANCE_API_KEY: token }) => {
    const one = start(args, { cwd: folder.path, env: { ...process.env, ...base, ...env } });
    running.push(one);
    return one;
  };
  return {
    product,
    proxy,
    folder: folder.path,
    begin,
    async run(args, env) {
      const one = begin(args, env);
      const code = await one.ended;
      return { code, out: one.out(), err: one.err() };
    },
    newConversation: async () =>
      (await product.admin.post('/conversations', { type: 'contact' })).body.id as string,
    says: (conversation, text) => product.admin.post('/messages', { conversation, text, role: 'contact' }),
    async close() {
      for (const one of running) await one.stop();
      await proxy.close();
      await folder.remove();
      await product.close();
    },
  };
}

function start(args: string[], options: { cwd: string; env: NodeJS.ProcessEnv }): Running {
  const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
  const child = spawn(resolve('node_modules/.bin/parlance'), args, { ...options, stdio });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const ended = new Promise<number | null>((resolved) => child.once('close', resolved));
  const stop = () => {
    child.kill('SIGINT');
    return ended;
  };
  return { out: () => out, err: () => err, ended, stop };
}
