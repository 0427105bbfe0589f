import { builtinModules } from 'node:module';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

test('`npm start` loads no database driver, Temporal client or downloader until it needs them', async () => {
  const { metafile } = await build({
    entryPoints: ['deploy/local/start.ts'],
    bundle: true,
    write: false,
    metafile: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    outdir: 'build-output',
    logLevel: 'silent',
  });
  const packages = new Set<string>();
  const visited = new Set<string>();
  const visit = (file: string): void => {
    if (visited.has(file)) return;
    visited.add(file);
    for (const { path, kind, external } of metafile.inputs[file]?.imports ?? []) {
      if (kind === 'dynamic-import') continue;
      if (external) packages.add(path);
      else visit(path);
    }
  };
  visit('deploy/local/start.ts');
  expect(visited).toContain('deploy/local/temporal.ts');
  const loaded = [...packages].filter((name) => !name.startsWith('node:') && !builtinModules.includes(name));
  expect(loaded.sort()).toEqual(['@parlance/process-lock', 'ipaddr.js']);
});
