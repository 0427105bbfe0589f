import { existsSync, readFileSync, watch } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../platform/config/load.ts';
import { launch } from './program.ts';
import type { LineSink } from './program.ts';
import type { Group } from './supervisor.ts';

const SETTLE_MS = 200;
/** Compiled folders whose changes trigger no build: no process of the product uses them. */
const UNWATCHED = ['deploy/local', 'examples'];
/** A part (`prepare/build.mjs`) that only the API serves. */
const PAGES = 'bundling the pages';

/** Builds the changed sources at every save and restarts the processes that use them. */
export function rebuildOnChange(group: Group, { say, log }: { say: LineSink; log: LineSink }): void {
  const root = projectRoot();
  const { include } = readJson(join(root, 'tsconfig.build.json')) as { include: string[] };
  const watched = include.filter((name) => !UNWATCHED.includes(name));
  watchSources(root, watched, async () => {
    const built = await rebuild(root, log);
    if (built === undefined) say('not built; what ran before runs on');
    if (!built?.length || group.isEnding()) return;
    if (built.some((part) => part !== PAGES)) group.restart('work');
    group.restart('front');
  });
}

/**
 * Calls `changed` once per burst of changes, one call at a time. `changed` must not reject. Returns
 * a function that stops watching.
 */
export function watchSources(
  root: string,
  folders: readonly string[],
  changed: () => Promise<void>,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  let done = Promise.resolve();
  const settle = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      done = done.then(changed);
    }, SETTLE_MS);
  };
  const watchers = folders
    .map((name) => join(root, name))
    .filter((folder) => existsSync(folder))
    .map((folder) => watch(folder, { recursive: true }, settle));
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}

/** Returns the names of the rebuilt parts, or undefined if the build failed. */
async function rebuild(root: string, log: LineSink): Promise<string[] | undefined> {
  const stamp = join(root, 'dist/.stamp');
  const before = readFingerprints(stamp);
  const args = [join(root, 'deploy/local/prepare.mjs')];
  const end = await launch(
    { command: process.execPath, args },
    { onLine: (line) => log(line.replace(/^prepare: /, '')) },
  ).ended;
  if (end !== 'code 0') return undefined;
  const after = readFingerprints(stamp);
  return Object.keys(after).filter((name) => after[name] !== before[name]);
}

/** Returns the fingerprints by part, empty if the stamp is missing or incomplete. */
function readFingerprints(stamp: string): Record<string, string> {
  try {
    return readJson(stamp) as Record<string, string>;
  } catch {
    return {};
  }
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}
