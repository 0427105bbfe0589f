import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

export interface CuttingProxy {
  port: number;
  /** Calls `cut` at the end of the next mail, and drops its connection without a reply. */
  cutNext: (when: 'before the mail' | 'after the reply', cut: () => Promise<unknown>) => Promise<void>;
  close: () => Promise<void>;
}

const END_OF_MAIL = '\r\n.\r\n';
const TAIL_CHARACTERS = 20;

/** Forwards connections for mail to `port`, and cuts one of them between DATA and 250. */
export async function startCuttingProxy(port: number): Promise<CuttingProxy> {
  let armed: { isBefore: boolean; cut: () => Promise<unknown>; done: () => void } | undefined;
  const server = createServer((client) => {
    const target = connect(port, '127.0.0.1');
    let tail = '';
    let isEnding = false;
    const drop = async () => {
      const { cut, done } = armed ?? { cut: () => Promise.resolve(), done: () => undefined };
      armed = undefined;
      await cut();
      client.destroy();
      target.destroy();
      done();
    };
    client.on('data', (chunk: Buffer) => {
      // Postfix sends QUIT along with the end of the mail.
      tail = (tail + chunk.toString('latin1')).slice(-TAIL_CHARACTERS);
      isEnding ||= tail.includes(END_OF_MAIL) && armed !== undefined;
      if (isEnding && armed?.isBefore) void drop();
      else target.write(chunk);
    });
    target.on('data', (chunk: Buffer) => {
      if (isEnding && armed && chunk.toString('latin1').startsWith('250')) void drop();
      else client.write(chunk);
    });
    for (const [one, other] of [
      [client, target],
      [target, client],
    ] as const) {
      one.on('end', () => other.end());
      one.on('error', () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    cutNext: (when, cut) =>
      new Promise((done) => {
        armed = { isBefore: when === 'before the mail', cut, done };
      }),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
