import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { MongoClient } from 'mongodb';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startStore } from '../src/server.ts';

const LEAVES_SOCKET =
  "require('net').createServer().listen(process.argv[1], () => process.kill(process.pid, 9))";

describe('a store on a Unix socket', () => {
  let folder = '';
  let dataDir = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'store-'));
    dataDir = join(folder, 'data');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  test.each(['store.sock', 'Ä b,@:#?.sock'])(
    'a store on a Unix socket lets only the owner of the socket connect: %s',
    async (name) => {
      const socket = join(folder, name);
      const store = await startStore({ dataDir, socket });
      expect((await stat(socket)).mode & 0o777).toBe(0o600);
      expect(store.port).toBe(0);
      const client = await MongoClient.connect(store.uri);
      expect(await client.db('x').command({ ping: 1 })).toMatchObject({ ok: 1 });
      await client.close();
      await store.close();
      await expect(stat(socket)).rejects.toThrow('ENOENT');
    },
  );

  test('a store on a Unix socket replaces the socket that a killed process left behind', async () => {
    const socket = join(folder, 'store.sock');
    await promisify(execFile)(process.execPath, ['-e', LEAVES_SOCKET, socket]).catch(() => undefined);
    expect((await stat(socket)).isSocket()).toBe(true);
    const store = await startStore({ dataDir, socket });
    const client = await MongoClient.connect(store.uri);
    await client.close();
    await store.close();
  });

  test('a store on a Unix socket does not touch the socket of a running process or other files', async () => {
    const socket = join(folder, 'store.sock');
    const other = createServer().listen(socket);
    await once(other, 'listening');
    await expect(startStore({ dataDir, socket })).rejects.toThrow(`The socket ${socket} is in use`);
    expect((await stat(socket)).isSocket()).toBe(true);
    other.close();
    await once(other, 'close');
    await writeFile(socket, 'a letter');
    await expect(startStore({ dataDir, socket })).rejects.toThrow(`${socket} is not a socket`);
    expect(await readFile(socket, 'utf8')).toBe('a letter');
  });

  test('a store on a Unix socket refuses paths that clients or systems would truncate or misread', async () => {
    const long = join(folder, `${'x'.repeat(104 - folder.length)}.sock`);
    await expect(startStore({ dataDir, socket: long })).rejects.toThrow('longer than 103 bytes');
    await expect(startStore({ dataDir, socket: join(folder, 'store') })).rejects.toThrow('does not end with');
    await expect(startStore({ dataDir, socket: join(folder, '%2F.sock') })).rejects.toThrow('contains %');
  });
});
