// Bundles the sandboxed process into dist/application/expressions/process.mjs, the only file that
// the process may read.
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
