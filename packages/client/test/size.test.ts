import { build } from 'esbuild';
import { expect, test } from 'vitest';

const MAX_BYTES = 10_000;

test('all of the client is under 10 kB minified, and needs nothing but the platform', async () => {
  const { outputFiles, metafile } = await build({
    entryPoints: ['packages/client/src/index.ts'],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    platform: 'neutral',
    metafile: true,
    write: false,
  });
  expect(outputFiles[0]?.contents.length).toBeLessThan(MAX_BYTES);
  // An import from elsewhere would have failed the build, or be listed as external.
  expect(Object.values(metafile.outputs).flatMap(({ imports }) => imports)).toEqual([]);
});
