import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectRoot } from './project-root.ts';
import type { Program } from './program.ts';

/**
 * The command that runs a module of the product, named as in `api/main`, in a Node process of its
 * own: the compiled one, or the source itself where we run from the sources too (`npm run dev`,
 * tests).
 */
export function nodeProgram(module: string, args: string[] = []): Program {
  const fromSources = import.meta.url.endsWith('.ts');
  const file = fromSources
    ? join(projectRoot(), `${module}.ts`)
    : join(projectRoot(), 'dist', `${module}.js`);
  const loader = fromSources ? ['--import', tsx()] : [];
  return { command: process.execPath, args: ['--enable-source-maps', ...loader, file, ...args] };
}

// Not import.meta.resolve: the test runner has none.
function tsx(): string {
  return pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
}
