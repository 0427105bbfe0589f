import { build } from 'esbuild';
import { expect, test } from 'vitest';

const BUILD: string = '../../../deploy/local/prepare/build.mjs';

test.each([
  ['bundling the workflows', 'workflows/index.ts'],
  ['bundling the process for expressions', 'application/expressions/process/main.ts'],
  ['bundling the pages', 'web/page/main.tsx'],
])('the build step "%s" runs again whenever one of its source files changes', async (name, entry) => {
  const { PARTS } = (await import(BUILD)) as { PARTS: { name: string; from?: string[] }[] };
  const folders = PARTS.find((part) => part.name === name)?.from ?? [];
  const { metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    metafile: true,
    outdir: 'build-output',
    packages: 'external',
    platform: 'node',
    format: 'esm',
    jsx: 'automatic',
    logLevel: 'silent',
  });
  const made = Object.keys(metafile.inputs);
  expect(made.length).toBeGreaterThan(5);
  expect(made.filter((path) => !folders.some((folder) => path.startsWith(`${folder}/`)))).toEqual([]);
});
