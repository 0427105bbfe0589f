import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { freePort } from '../../deploy/local/ports.ts';
import type { BucketConfig } from '../../domain/files/file.ts';
import { eventually } from '../support/eventually.ts';
import { once, run } from '../support/fetched.ts';
import { startProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Cache of the download between runs. */
const FOLDER = resolve('build-output/bucket');
const VERSION = 'v1.8.0';
const BUCKET = 'files';

export interface Gateway {
  bucket: BucketConfig;
  close: () => Promise<void>;
}

/** Starts VersityGW, an S3 server with its objects in a folder, with an empty bucket. */
export async function startGateway(): Promise<Gateway> {
  await once(FOLDER, `versitygw ${VERSION}`, () =>
    run('go', ['install', `github.com/versity/versitygw/cmd/versitygw@${VERSION}`], {
      cwd: FOLDER,
      env: { GOBIN: FOLDER, GOFLAGS: '-mod=mod' },
    }),
  );
  const folder = await temporaryFolder();
  const [objects, metadata] = [join(folder.path, 'objects'), join(folder.path, 'metadata')];
  await Promise.all([mkdir(join(objects, BUCKET), { recursive: true }), mkdir(metadata)]);
  const port = await freePort();
  const [accessKeyId, secretAccessKey] = ['test-key', 'test-secret'];
  const named = ['--port', `127.0.0.1:${port}`, '--access', accessKeyId, '--secret', secretAccessKey];
  const server = startProgram(join(FOLDER, 'versitygw'), {
    args: [...named, '--quiet', 'posix', '--sidecar', metadata, objects],
    env: process.env,
    cwd: folder.path,
  });
  const endpoint = `http://127.0.0.1:${port}`;
  await eventually(async () => (await fetch(endpoint)).status > 0);
  return {
    bucket: { endpoint, bucket: BUCKET, region: 'us-east-1', accessKeyId, secretAccessKey },
    async close() {
      server.signal('SIGTERM');
      await server.ended;
      await folder.remove();
    },
  };
}
