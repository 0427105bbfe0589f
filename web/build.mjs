// Builds the files of the pages into dist/web/assets. File names contain a hash of the content.
import { rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';
import { readFile } from 'node:fs/promises';
import { CONSOLE, importTogether, loadedBefore, singleIcons, staticImports } from './console-parts.mjs';
import { bundledPackages, hashedName, thirdPartyText } from './third-party.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const outdir = `${root}dist/web/assets`;
const target = ['es2022', 'chrome109', 'firefox115', 'safari16'];
const shared = {
  absWorkingDir: root,
  outdir,
  entryNames: '[name]-[hash]',
  chunkNames: 'part-[hash]',
  bundle: true,
  minify: true,
  target,
  // The notices are in third-party.txt.
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
};

/** Inlines styles as text, so that the widget is a single file. */
const styleText = {
  name: 'style-text',
  setup({ onLoad }) {
    onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { code } = await transform(await readFile(path, 'utf8'), { loader: 'css', minify: true, target });
      return { contents: code, loader: 'text' };
    });
  },
};

const pages = {
  ...shared,
  format: 'esm',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  loader: { '.svg': 'copy' },
  conditions: ['parlance-source'],
};

rmSync(outdir, { recursive: true, force: true });
const views = await build({
  ...pages,
  entryPoints: {
    home: 'web/page/home.css',
    icon: 'web/page/icon.svg',
    docs: 'web/page/docs.css',
    guide: 'web/page/guide.ts',
    reference: 'web/page/reference.ts',
  },
});
// Split, so that uploads and the viewer of pictures load on demand.
const chat = await build({ ...pages, entryPoints: { chat: 'web/page/main.tsx' }, splitting: true });
// Split the console, so that each screen loads on demand.
const agents = await build({
  ...pages,
  entryPoints: { console: CONSOLE },
  splitting: true,
  plugins: [loadedBefore(root), singleIcons(root)],
});
importTogether(root, agents.metafile);
const widget = await build({
  ...shared,
  entryPoints: { widget: 'web/widget/widget.ts' },
  format: 'iife',
  plugins: [styleText],
});
writeFileSync(`${outdir}/preloads.json`, JSON.stringify({ 'console.js': staticImports(agents.metafile) }));
const bundled = bundledPackages([views, chat, agents, widget].map(({ metafile }) => metafile));
const licences = thirdPartyText(root, bundled);
writeFileSync(`${outdir}/${hashedName(licences)}`, licences);
