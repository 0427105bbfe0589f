import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openCatalog } from './storage/catalog.ts';
import { checkCollection, isSound } from './storage/check.ts';
import type { Findings } from './storage/check.ts';
import { openEnvironment } from './storage/environment.ts';

/**
 * `check.js --data-dir DIR`: reads all that a store keeps while no store runs on it, and says whether every document is what was written and every
 * index agrees with the documents. Exits with 1 where something is wrong.
 */
async function main(): Promise<boolean> {
  const { values } = parseArgs({ options: { 'data-dir': { type: 'string' } } });
  const folder = values['data-dir'];
  if (folder === undefined) throw new Error('--data-dir is missing');
  if (!existsSync(join(folder, 'data.mdb'))) throw new Error(`there is no store in ${folder}`);
  const environment = openEnvironment(folder);
  try {
    const catalog = openCatalog(environment);
    let sound = true;
    for (const collection of catalog.all()) {
      const findings = checkCollection({ environment, catalog }, collection);
      for (const line of linesOf(findings)) process.stdout.write(`${line}\n`);
      sound &&= isSound(findings);
    }
    return sound;
  } finally {
    await environment.close();
  }
}

function linesOf({ namespace, documents, damaged, indexes }: Findings): string[] {
  const lines = [`${namespace}: ${documents} documents, ${indexes.length} indexes`];
  if (damaged > 0) lines.push(`  ${damaged} documents are damaged`);
  for (const { name, missing, surplus, misdescribed } of indexes) {
    if (missing > 0) lines.push(`  index ${name} lacks ${missing} entries`);
    if (surplus > 0) lines.push(`  index ${name} has ${surplus} entries that no document has`);
    if (misdescribed) lines.push(`  index ${name} does not say what kind of values it holds`);
  }
  return lines;
}

main().then(
  (sound) => {
    process.stdout.write(sound ? 'all is well\n' : 'something is wrong\n');
    process.exit(sound ? 0 : 1);
  },
  (error: unknown) => {
    process.stderr.write(`check: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);
