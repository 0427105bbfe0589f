import { execFile } from 'node:child_process';
import { copyFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fillCache } from '../fill-cache.ts';
import type { LineSink } from '../lines.ts';
import { findOnPath, isExecutable } from '../path-search.ts';
import { launch } from '../program.ts';
import { projectRoot } from '../project-root.ts';
import { firstLine } from '../resolution.ts';
import type { LookupResult, BinaryLookup } from '../resolution.ts';
import { cachedTemporal, temporalCacheFolder } from './cache.ts';
import { TEMPORAL_CLI_VERSION } from './version.ts';

const PACKAGE = 'github.com/temporalio/cli/cmd/temporal';
/**
 * Without debug tables a third smaller; and the binary states its version, as a released one does.
 */
const LINK = `-s -w -X github.com/temporalio/cli/internal/temporalcli.Version=${TEMPORAL_CLI_VERSION}`;
/** From here on Go fetches the newer Go that `cli/go.mod` asks for. */
const OLDEST_GO = [1, 21] as const;
const SAY_EVERY_MS = 5_000;

/**
 * Builds the pinned release with Go into the cache: every module's checksum is in `cli/go.sum`, so
 * the same code comes out wherever it is fetched from. Takes minutes the first time and says every
 * few seconds how far it is.
 */
export async function buildTemporal({ env, log }: BinaryLookup): Promise<LookupResult> {
  const go = await findOnPath('go', env);
  if (go === undefined) return { missing: 'there is no go on PATH' };
  try {
    const problem = goVersionProblem((await promisify(execFile)(go, ['version'], { env })).stdout);
    if (problem !== undefined) return { missing: problem };
    return await fillCache({
      folder: temporalCacheFolder(env),
      log,
      async make(workshop) {
        const target = cachedTemporal(env);
        if (await isExecutable(target)) return { path: target };
        await compile({ go, workshop, env, log });
        await rename(join(workshop, 'temporal'), target);
        return { path: target };
      },
    });
  } catch (error) {
    return { missing: firstLine(error) };
  }
}

/** Why the Go that says this of itself cannot build the release, or undefined. */
export function goVersionProblem(said: string): string | undefined {
  const [, major, minor] = /go version go(\d+)\.(\d+)/.exec(said) ?? [];
  const version = [Number(major), Number(minor)] as const;
  if (version[0] > OLDEST_GO[0] || (version[0] === OLDEST_GO[0] && version[1] >= OLDEST_GO[1]))
    return undefined;
  return `it takes Go ${OLDEST_GO.join('.')} or newer, and this is "${said.trim()}"`;
}

async function compile(options: { go: string; workshop: string; env: NodeJS.ProcessEnv; log: LineSink }) {
  const { go, workshop, env, log } = options;
  const module = join(projectRoot(), 'deploy/local/temporal/cli');
  for (const name of ['go.mod', 'go.sum']) await copyFile(join(module, name), join(workshop, name));
  log(`building Temporal ${TEMPORAL_CLI_VERSION} with Go; this takes some minutes, once …`);
  const progress = watchBuild(log);
  const binary = join(workshop, 'temporal');
  const build = launch(
    {
      command: go,
      args: ['build', '-C', workshop, '-v', `-ldflags=${LINK}`, '-o', binary, PACKAGE],
      // Some systems' Go fetches no newer one unless it is told to.
      env: { GOTOOLCHAIN: 'auto', ...env, GOWORK: 'off' },
    },
    { onLine: progress.onLine },
  );
  const end = await build.ended;
  progress.stop();
  if (end !== 'code 0') throw new Error(`go build ended with ${end}: ${progress.lastLine()}`);
  log(`Temporal is built, ${progress.elapsed()}`);
}

/**
 * Reads what `go build -v` prints, a line per module downloaded and per package compiled, and sums
 * it up now and then.
 */
function watchBuild(log: LineSink) {
  const startedAt = Date.now();
  let modules = 0;
  let packages = 0;
  let last = '';
  const elapsed = () => `${Math.round((Date.now() - startedAt) / 1000)} s`;
  const timer = setInterval(() => {
    log(`building Temporal: ${elapsed()}, ${modules} modules downloaded, ${packages} packages compiled`);
  }, SAY_EVERY_MS);
  return {
    elapsed,
    lastLine: () => last,
    stop: () => clearInterval(timer),
    onLine: (line: string) => {
      last = line;
      if (line.startsWith('go: downloading ')) modules += 1;
      else packages += 1;
    },
  };
}
