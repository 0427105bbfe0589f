import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
};

export interface Asset {
  type: string;
  content: Buffer;
}

const FOLDER = fileURLToPath(new URL('./assets/', import.meta.url));

let known: Map<string, Asset> | undefined;
let preloads: Record<string, readonly string[]> | undefined;

/** Returns a built file from memory, so a name cannot reach other files. */
export function findAsset(name: string): Asset | undefined {
  known ??= readAll();
  return known.get(name);
}

/** Returns the hashed name (`chat-4QWERTY5.js` for `chat.js`). Throws for unbuilt files. */
export function assetName(entry: string): string {
  known ??= readAll();
  const [name, type] = [entry.slice(0, entry.lastIndexOf('.')), extname(entry)];
  const found = [...known.keys()].find((one) => one.startsWith(`${name}-`) && extname(one) === type);
  if (found === undefined) throw new Error(`The page file ${entry} was not built.`);
  return found;
}

/** Returns the names of the files that a script imports at its start. */
export function preloadNames(script: string): readonly string[] {
  const path = join(FOLDER, 'preloads.json');
  preloads ??= existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as typeof preloads) : {};
  return preloads?.[script] ?? [];
}

function readAll(): Map<string, Asset> {
  const names = existsSync(FOLDER) ? readdirSync(FOLDER) : [];
  return new Map(
    names.flatMap((name) => {
      const type = TYPES[extname(name)];
      return type === undefined ? [] : [[name, { type, content: readFileSync(join(FOLDER, name)) }] as const];
    }),
  );
}
