import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { MongoClient } from 'mongodb';
import { describe, inject, test } from 'vitest';
import type { OnTestFinishedHandler } from 'vitest';
import { startNode } from '../support/node-process.ts';
import { startOldMongodb, startOldTemporal } from '../support/old-servers.ts';
import { environmentFor } from '../support/product.ts';
import { storeAddress } from '../support/store-address.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const DATABASE = 'start_faults';
const HOOK = pathToFileURL('test/support/clock-shift.mjs').href;
const servers = () => ({ temporalAddress: inject('temporalAddress'), mongodbUri: inject('mongodbUri') });
type AtEnd = (end: OnTestFinishedHandler) => void;
/** Nothing listens here. Another test could begin to listen on a port that is only free now. */
const NOBODY = '127.0.0.1:1';

async function oldMongodb(onTestFinished: AtEnd) {
  const old = await startOldMongodb('6.0.19', storeAddress(inject('mongodbUri')));
  onTestFinished(old.close);
  return { MONGODB_URI: `mongodb://127.0.0.1:${old.port}/${DATABASE}?directConnection=true` };
}

async function oldTemporal(onTestFinished: AtEnd) {
  const old = await startOldTemporal('1.27.4');
  onTestFinished(old.close);
  return { TEMPORAL_ADDRESS: `127.0.0.1:${old.port}` };
}

async function wrongClock(onTestFinished: AtEnd) {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const file = join(folder.path, 'clock');
  await writeFile(file, String(-3600_000));
  return { NODE_OPTIONS: `--import ${HOOK}`, CLOCK_SHIFT_FILE: file };
}

async function collections(): Promise<number> {
  const client = await MongoClient.connect(inject('mongodbUri'));
  const found = await client.db(DATABASE).listCollections().toArray();
  await client.close();
  return found.length;
}

/** Each fault with the settings that cause it and the expected log message. */
const FAULTS: [string, (onTestFinished: AtEnd) => Promise<NodeJS.ProcessEnv>, RegExp][] = [
  [
    'an unknown option in MONGODB_URI',
    () => Promise.resolve({ MONGODB_URI: 'mongodb://user:secret@127.0.0.1/x?replicas=rs0' }),
    /^MONGODB_URI: the address cannot be used \(option replicas is not supported\)\. Correct it\.$/,
  ],
  [
    'a password in MONGODB_URI that is not encoded',
    () => Promise.resolve({ MONGODB_URI: 'mongodb://user:secret%@127.0.0.1/x' }),
    /^MONGODB_URI: the address cannot be used \(special characters .* percent-encoded\)\. Correct it\.$/,
  ],
  [
    'no MongoDB',
    () => Promise.resolve({ MONGODB_URI: `mongodb://user:secret@${NOBODY}/x` }),
    /^MONGODB_URI: no MongoDB responds there \(connect ECONNREFUSED .*\)\. Start it, or correct the address\.$/,
  ],
  [
    'a MongoDB that is too old',
    oldMongodb,
    /^MONGODB_URI: the MongoDB is 6\.0\.19, and 7\.0 or newer is needed\.$/,
  ],
  [
    'no Temporal server',
    () => Promise.resolve({ TEMPORAL_ADDRESS: NOBODY }),
    /^TEMPORAL_ADDRESS: no Temporal server responds at 127.* correct the address and TEMPORAL_TLS\.$/,
  ],
  [
    'a Temporal server that is too old',
    oldTemporal,
    /^TEMPORAL_ADDRESS: at 127.* the Temporal server is 1\.27\.4, and 1\.28 or newer is needed\.$/,
  ],
  [
    'no namespace',
    () => Promise.resolve({ TEMPORAL_NAMESPACE: 'never-made' }),
    /^TEMPORAL_NAMESPACE: .* has no namespace "never-made"\. Make it: temporal operator namespace create /,
  ],
  [
    'a clock that is an hour slow',
    wrongClock,
    /^The clock of this machine is 3(599|600|601) s behind that of the MongoDB\. Set both by NTP, and start again\.$/,
  ],
];

describe.each(['api', 'worker'])('a process (%s) that cannot start', (name) => {
  // The faults are tried at the same time, because some are detected only after seconds.
  test.concurrent.for(FAULTS)(
    'a process that cannot start logs one line for %s, exits with 1 and creates no collection',
    async ([, wrong, says], { expect, onTestFinished }) => {
      const given = await wrong(onTestFinished);
      const env = { ...environmentFor({ ...servers(), database: DATABASE }), PORT: '0', ...given };
      const tried = startNode(`dist/${name}/main.js`, { env });
      expect(await tried.ended, tried.output()).toBe(1);
      const [line = '', ...more] = tried.output().trimEnd().split('\n');
      expect(more).toEqual([]);
      expect(line).not.toContain('secret');
      expect(JSON.parse(line)).toMatchObject({ level: 60, msg: expect.stringMatching(says) });
      expect(await collections()).toBe(0);
    },
  );
});
