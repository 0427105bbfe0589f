import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, realpath, rm, symlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { findOnPath } from '../../deploy/local/binary.ts';
import { resolveTemporal } from '../../deploy/local/temporal.ts';

const run = promisify(execFile);
const MODULE = resolve('test/cluster/temporal');
const FOLDER = resolve('build-output/cluster');
const DEBIAN = '/usr/lib/postgresql';

/** The folders of the programs and schemas that the Temporal images contain. */
export interface TemporalPrograms {
  /** The folder of `temporal-server`, `temporal-sql-tool` and `temporal`. */
  bin: string;
  /** The folder of the database schemas. */
  schema: string;
}

export function serverVersion(): string {
  const [, version] =
    /go\.temporal\.io\/server v(\S+)/.exec(readFileSync(join(MODULE, 'go.mod'), 'utf8')) ?? [];
  if (version === undefined) throw new Error(`${MODULE}/go.mod names no server`);
  return version;
}

/**
 * Builds the server and its schema tool with Go, once per release. A build takes two minutes, or
 * ten with downloads. The CLI is that of the embedded server.
 */
export async function temporalPrograms(log: (line: string) => void): Promise<TemporalPrograms> {
  const bin = join(FOLDER, serverVersion());
  const go = await findOnPath('go', process.env);
  if (go === undefined) throw new Error('Temporal’s server is built with Go, and there is no go on PATH');
  const env = { GOTOOLCHAIN: 'auto', ...process.env, GOWORK: 'off' };
  await mkdir(bin, { recursive: true });
  for (const [name, path] of [
    ['temporal-server', 'server'],
    ['temporal-sql-tool', 'tools/sql'],
  ] as const) {
    if (existsSync(join(bin, name))) continue;
    log(`building ${name} ${serverVersion()} with Go …`);
    const target = join(bin, name);
    const source = `go.temporal.io/server/cmd/${path}`;
    await run(go, ['build', '-C', MODULE, '-ldflags=-s -w', '-o', target, source], { env });
  }
  const { path } = await resolveTemporal({ env: process.env, log });
  await rm(join(bin, 'temporal'), { force: true });
  await symlink(path, join(bin, 'temporal'));
  const listed = await run(go, ['list', '-C', MODULE, '-m', '-f', '{{.Dir}}', 'go.temporal.io/server'], {
    env,
  });
  return { bin, schema: join(listed.stdout.trim(), 'schema') };
}

/**
 * Returns the folder of `initdb`, `postgres` and `pg_isready`: from PATH, or of the newest version
 * that Debian has installed.
 */
export async function postgresFolder(): Promise<string> {
  const onPath = await findOnPath('postgres', process.env);
  if (onPath !== undefined) return dirname(await realpath(onPath));
  const versions = existsSync(DEBIAN) ? await readdir(DEBIAN) : [];
  const [newest] = versions.map(Number).sort((one, other) => other - one);
  if (newest === undefined) throw new Error('There is no PostgreSQL: apt-get install postgresql');
  return join(DEBIAN, String(newest), 'bin');
}
