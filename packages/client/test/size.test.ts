import { build } from 'esbuild';
import { expect, test } from 'vitest';

const MAX_BYTES = 12_000;

test('the client is below 12 kB minified and has no dependencies', async () => {
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
  // An external import fails the build or is listed here.
  expect(Object.values(metafile.outputs).flatMap(({ imports }) => imports)).toEqual([]);
});
