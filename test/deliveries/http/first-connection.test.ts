import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { connectToFirst } from '../../../deliveries/http/connector.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/**
 * Hosts by address, with the time until they connect or fail. A host without either time never
 * responds.
 */
type Hosts = Record<string, { connects?: number; fails?: number }>;

const options = { hostname: 'name.example', protocol: 'http:', port: '80' } as buildConnector.Options;

async function outcome(hosts: Hosts) {
  const startedAt = Date.now();
  const closed: string[] = [];
  const tried: string[] = [];
  const connect = ({ hostname }: buildConnector.Options, callback: buildConnector.Callback) => {
    tried.push(hostname);
    const host = hosts[hostname] ?? {};
    const socket = { hostname, destroy: () => closed.push(hostname) } as unknown as Socket;
    if (host.connects !== undefined) setTimeout(() => callback(null, socket), host.connects);
    if (host.fails !== undefined) setTimeout(() => callback(new Error(hostname), null), host.fails);
  };
  const ended = { end: 'nothing', after: 0 };
  connectToFirst({ connect, options, addresses: Object.keys(hosts) }, (...[error, socket]) => {
    ended.end = error ? `error of ${error.message}` : (socket as unknown as typeof options).hostname;
    ended.after = Date.now() - startedAt;
  });
  await vi.advanceTimersByTimeAsync(60_000);
  return { ...ended, tried, closed };
}

const FAR = { connects: 320 };
const DEAD = { fails: 50_000 };

describe('a connection to a host with several addresses', () => {
  test('a connection to a host with several addresses reaches a slow address while another address is unreachable', async () => {
    for (const dead of [{ fails: 0 }, { fails: 255 }, DEAD]) {
      expect(await outcome({ a: FAR, b: dead })).toMatchObject({ end: 'a', after: 320 });
      const second = await outcome({ a: dead, b: FAR });
      expect(second.end).toBe('b');
      expect(second.after).toBeLessThanOrEqual(720);
    }
  });

  test('a connection to a host with several addresses keeps a slow attempt while later addresses are tried', async () => {
    expect(await outcome({ a: { connects: 3_000 }, b: DEAD, c: DEAD })).toMatchObject({
      end: 'a',
      after: 3_000,
    });
  });

  test('a connection to a host with several addresses closes other connections that are established later', async () => {
    const { end, closed } = await outcome({ a: { connects: 700 }, b: { connects: 10 }, c: FAR });
    expect([end, closed]).toEqual(['b', ['a']]);
  });

  test('no second address of a host is tried if the first address connects quickly', async () => {
    expect((await outcome({ a: { connects: 100 }, b: FAR })).tried).toEqual(['a']);
  });

  test('each address of a host is tried once if all fail, and the connection fails with the error of the first address', async () => {
    const failed = await outcome({ a: { fails: 500 }, b: { fails: 0 }, c: { fails: 10 } });
    expect(failed).toMatchObject({ end: 'error of a', tried: ['a', 'b', 'c'], closed: [] });
  });

  test('at most sixteen addresses of a host are tried', async () => {
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`host ${at}`, { fails: 1 }]));
    const { end, tried } = await outcome(many);
    expect([end, tried.length]).toEqual(['error of host 0', 16]);
  });
});
