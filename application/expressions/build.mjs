// Bundles the process for expressions with its packages into
// dist/application/expressions/process.mjs: one file, and the only one that it may read.
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

await build({
  absWorkingDir: fileURLToPath(new URL('../..', import.meta.url)),
  entryPoints: ['application/expressions/process/main.ts'],
  outfile: 'dist/application/expressions/process.mjs',
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  logLevel: 'warning',
});
