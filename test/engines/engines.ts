import { delimiter, join, resolve } from 'node:path';
import { MongoClient } from 'mongodb';
import { freePort } from '../../deploy/local/ports.ts';
import { eventually } from '../support/eventually.ts';
import { once, run } from '../support/fetched.ts';
import { startProgram } from '../support/program.ts';

const SECANTUSDB = resolve('test/engines/secantusdb');
const JAVA_SERVER = resolve('test/engines/java-server');
/** Cache of the downloads between runs. */
const FOLDER = resolve('build-output/engines');

/** A running server that starts empty and speaks MongoDB's protocol. */
export interface RunningEngine {
  uri: string;
  close: () => Promise<void>;
}

/** Independent implementations of MongoDB, installed from the packages of their makers. */
export const ENGINES = {
  'mongo-java-server': startJavaServer,
  SecantusDB: startSecantusDb,
} satisfies Record<string, () => Promise<RunningEngine>>;
export type EngineName = keyof typeof ENGINES;

async function startJavaServer(): Promise<RunningEngine> {
  const libraries = join(FOLDER, 'java-server');
  await once(FOLDER, 'mongo-java-server 1.47.0', () =>
    run('mvn', ['-q', 'dependency:copy-dependencies', `-DoutputDirectory=${libraries}`], {
      cwd: JAVA_SERVER,
    }),
  );
  return serve('java', (port) => [
    '-cp',
    [join(libraries, '*')].join(delimiter),
    join(JAVA_SERVER, 'Serve.java'),
    String(port),
  ]);
}

async function startSecantusDb(): Promise<RunningEngine> {
  const environment = join(FOLDER, 'secantusdb');
  const python = join(environment, 'bin/python');
  await once(FOLDER, 'SecantusDB 0.7.0b3', async () => {
    await run('python3', ['-m', 'venv', environment], { cwd: FOLDER });
    const requirements = join(SECANTUSDB, 'requirements.txt');
    await run(python, ['-m', 'pip', 'install', '--quiet', '--requirement', requirements], { cwd: FOLDER });
  });
  return serve(python, (port) => ['-m', 'secantus', '--port', String(port), '--storage-path', ':memory:']);
}

/** Starts a server, which runs until it is closed. Resolves when the server accepts commands. */
async function serve(command: string, args: (port: number) => string[]): Promise<RunningEngine> {
  const port = await freePort();
  const uri = `mongodb://127.0.0.1:${port}/`;
  const server = startProgram(command, { args: args(port), env: process.env, cwd: FOLDER });
  const died = server.ended.then((end) => Promise.reject(new Error(`${command} ended with ${end}`)));
  await Promise.race([died, eventually(() => answers(uri))]).catch((error: unknown) => {
    server.signal('SIGKILL');
    throw new Error(server.output(), { cause: error });
  });
  died.catch(() => undefined);
  return {
    uri,
    async close() {
      server.signal('SIGTERM');
      await server.ended;
    },
  };
}

async function answers(uri: string): Promise<boolean> {
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 1_000 });
  try {
    await client.db('admin').command({ ping: 1 });
    return true;
  } catch {
    return false;
  } finally {
    await client.close();
  }
}
