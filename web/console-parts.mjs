// Which files the console is split into. By itself, esbuild makes a file for each set of parts that
// share modules: 28 files before the first paint, and two round trips for each screen.
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

export const CONSOLE = 'web/console/main.tsx';
const PROVIDERS = 'web/console/inbox/providers.tsx';
const INBOX = 'web/console/inbox/screen.tsx';

const SCREENS = /\bconsole\/(?!languages|passwords)/;

/** Modules that the page has loaded before it loads a part. */
const BEFORE = [
  [/./, CONSOLE],
  [SCREENS, PROVIDERS],
  [SCREENS, 'web/console/parts/time.tsx'],
  [SCREENS, 'web/console/inbox/row.tsx'],
  [SCREENS, 'web/console/use-edited.ts'],
  [/\bconsole\/(inbox\/(?!providers)|components)/, INBOX],
];

/** Parts that the first script loads in one round trip with the files that they import. */
const AT_ONCE = [PROVIDERS, INBOX, 'web/console/inbox/conversation-view.tsx'];

/**
 * Makes each part import what is loaded before it, so that esbuild puts all of that into one file.
 */
export function loadedBefore(root) {
  const setup = ({ onResolve, onLoad }) => {
    onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) =>
      kind === 'dynamic-import' ? { path: join(resolveDir, path), namespace: 'part' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'part' }, ({ path }) => {
      const before = BEFORE.filter(([parts, module]) => parts.test(path) && join(root, module) !== path);
      const lines = before.map(([, module]) => `import ${JSON.stringify(join(root, module))};`);
      return {
        contents: [...lines, `export * from ${JSON.stringify(path)};`].join('\n'),
        resolveDir: root,
      };
    });
  };
  return { name: 'loaded-before', setup };
}

/** Imports each icon from its own file: the first script would get the icons of all screens. */
export function singleIcons(root) {
  const setup = ({ onLoad }) => {
    onLoad({ filter: /\.tsx$/, namespace: 'file' }, ({ path }) => {
      const code = readFileSync(path, 'utf8');
      const contents = code.replace(/import \{([^}]+)\} from 'lucide';/, (_, names) =>
        names
          .split(',')
          .map((name) => name.trim())
          .filter(Boolean)
          .map((name) => `import ${name} from ${JSON.stringify(findIcon(root, name))};`)
          .join(''),
      );
      return { contents, loader: 'tsx' };
    });
  };
  return { name: 'single-icons', setup };
}

function findIcon(root, name) {
  const folder = join(root, 'node_modules/lucide/dist/esm');
  const index = readFileSync(join(folder, 'iconsAndAliases.mjs'), 'utf8');
  const [, path] = new RegExp(`\\b${name}\\b[^}]*\\} from '\\./(icons/[\\w-]+\\.mjs)'`).exec(index) ?? [];
  if (path === undefined) throw new Error(`lucide has no icon ${name}`);
  return join(folder, path);
}

/** Returns the names of the files that the first script imports. */
export function staticImports({ outputs }) {
  const [first] = Object.keys(outputs).filter((path) => outputs[path].entryPoint === CONSOLE);
  return [...findStaticImports(outputs, first)]
    .filter((path) => path !== first)
    .map((path) => basename(path));
}

/** Imports a part and its files together: the browser would find them one after another. */
export function importTogether(root, { outputs }) {
  for (const [path, { imports }] of Object.entries(outputs)) {
    const parts = imports.filter(({ kind }) => kind === 'dynamic-import').map((part) => part.path);
    const loaded = new Set([...findStaticImports(outputs, path), ...findLoaded(outputs, path)]);
    let code = parts.length > 0 ? readFileSync(join(root, path), 'utf8') : '';
    for (const part of parts) {
      const files = [...findStaticImports(outputs, part)].filter((file) => !loaded.has(file));
      if (files.length < 2 || !isAtOnce(outputs, path, part)) continue;
      const calls = files.map((file) => `import("./${basename(file)}")`);
      code = code.replaceAll(calls[0], `Promise.all([${calls.join()}]).then(([part])=>part)`);
    }
    if (code !== '') writeFileSync(join(root, path), code);
  }
}

/** Each of the other parts of the first script would make it longer. */
function isAtOnce(outputs, path, part) {
  const isFirst = Object.keys(outputs[path].inputs).includes(CONSOLE);
  return !isFirst || AT_ONCE.some((module) => outputs[part].entryPoint.endsWith(module));
}

/** Returns the files that are loaded before a file of the inbox or of a screen loads a part. */
function findLoaded(outputs, path) {
  const before = Object.keys(outputs[path].inputs).flatMap((input) =>
    BEFORE.filter(([parts]) => parts.test(input)).map(([, module]) => module),
  );
  const files = Object.keys(outputs).filter((file) =>
    Object.keys(outputs[file].inputs).some((input) => before.includes(input)),
  );
  return files.filter((file) => file !== path).flatMap((file) => [...findStaticImports(outputs, file)]);
}

/** Returns a file and all files that it imports at its start, the file first. */
function findStaticImports(outputs, path, found = new Set()) {
  if (found.has(path)) return found;
  found.add(path);
  for (const { kind, path: next } of outputs[path].imports)
    if (kind === 'import-statement') findStaticImports(outputs, next, found);
  return found;
}
