import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import mongoose from 'mongoose';
import { expect, onTestFinished, test } from 'vitest';
import { startMongodb } from '../../support/embedded-servers.ts';
import { mongodbVersion } from '../../../deploy/local/mongodb.ts';
import { processIdentity } from '@parlance/process-lock';
import { testFolder } from './support/folder.ts';
import { eventually } from '../../support/eventually.ts';

const NOBODY = 65_534;
// The first run on a machine may have to download the server.
const FIRST_RUN_MS = 15 * 60_000;

test(
  'the store of `npm start` keeps acknowledged writes when it is killed and started again',
  async () => {
    const dataDir = testFolder();
    const first = await startMongodb({ dataDir });
    onTestFinished(() => first.kill());
    await withCollection(first.uri, (things) => things.insertOne({ name: 'kept' }));
    const identity = await processIdentity(first.pid);
    first.kill();
    await eventually(async () => (await processIdentity(first.pid)) !== identity);

    const second = await startMongodb({ dataDir });
    onTestFinished(() => second.kill());
    expect(second.engine).toEqual(first.engine);
    expect(await withCollection(second.uri, (things) => things.findOne({}))).toMatchObject({ name: 'kept' });
    await second.close();
    expect(await processIdentity(second.pid)).toBeUndefined();
  },
  FIRST_RUN_MS,
);

test(
  'the store of `npm start` is ready when its address is returned, and keeps the data of each engine in a separate folder',
  async () => {
    const dataDir = testFolder();
    const store = await startMongodb({ dataDir });
    onTestFinished(() => store.kill());
    expect(await mongodbVersion(store.uri)).toMatch(/^\d+\./);
    const folder = store.engine.name === 'MongoDB' ? 'mongodb' : 'store';
    expect(existsSync(join(dataDir, folder))).toBe(true);
  },
  FIRST_RUN_MS,
);

test.runIf(process.getuid?.() === 0)(
  'the store of `npm start` refuses connections of other users of the machine',
  async () => {
    const dataDir = testFolder();
    const store = await startMongodb({ dataDir });
    onTestFinished(() => store.kill());
    const path = decodeURIComponent(new URL(store.uri).hostname);
    expect(connectAs(0, path)).toBe('connected');
    expect(connectAs(NOBODY, path)).toBe('EACCES');
    // The connection is refused even with open permissions on the parent folders.
    for (const folder of [dataDir, dirname(path)]) chmodSync(folder, 0o755);
    expect(connectAs(NOBODY, path)).toBe('EACCES');
  },
  FIRST_RUN_MS,
);

/** Connects to a Unix socket as a user. Returns `connected` or the error code. */
function connectAs(uid: number, path: string): string {
  const program = `const socket = require('net').connect(process.argv[1], () => end('connected'));
    const end = (word) => { console.log(word); process.exit(); };
    socket.on('error', (error) => end(error.code));`;
  return execFileSync(process.execPath, ['-e', program, path], { uid, gid: uid, cwd: '/' }).toString().trim();
}

async function withCollection<T>(
  uri: string,
  action: (things: mongoose.mongo.Collection) => Promise<T>,
): Promise<T> {
  const connection = await mongoose.createConnection(uri).asPromise();
  try {
    return await action(connection.collection('things'));
  } finally {
    await connection.destroy();
  }
}
