import { posix } from 'node:path';
import js from '@eslint/js';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

/** Folders with limited imports, the rooms of docs/architecture.md ("Rooms"). */
export const ROOMS = [
  'activities',
  'api',
  'application/auth',
  'application/business-events',
  'application/channels',
  'application/expressions',
  'application/files',
  'application/posting',
  'application/presenters',
  'deliveries',
  'deploy/local',
  'domain',
  'examples',
  'platform/concurrency',
  'platform/config',
  'platform/http',
  'platform/patches',
  'platform/tracing',
  'schema',
  'store',
  'web',
  'worker',
  'workflows',
  'workflows/client',
];
const NOT_FOR_WORKERS = ['api', 'application/presenters', 'web', 'deploy/local', 'examples'];
const APPLICATION = ROOMS.filter((room) => room.startsWith('application/'));

const TESTS = ['test/**/*.ts', 'packages/*/test/**/*.ts'];
const BENCHES = ['packages/*/bench/**/*.ts'];

/** Returns a pattern for relative imports of `target` by files of `room`. */
function importsOf(room, target) {
  const parent = posix.dirname(room);
  // Rooms with the same parent can also import each other by the shorter path.
  const sibling = parent !== '.' && posix.dirname(target) === parent;
  const path = sibling ? `(${parent}/)?${posix.basename(target)}` : target;
  const nested = ROOMS.filter((other) => other.startsWith(`${target}/`)).map((other) =>
    other.slice(target.length + 1),
  );
  const within = nested.length > 0 ? `(?!(${nested.join('|')})/)` : '';
  const below = target.startsWith(`${room}/`) ? `|^\\./${target.slice(room.length + 1)}/` : '';
  return `^(\\.\\./)+${path}/${within}${below}`;
}

/**
 * Enforces one row of the import table in docs/architecture.md. Only types may be imported from the
 * rooms in `types`. Packages must match `packages` or not match `exceptPackages`.
 */
function mayImport(room, { rooms = [], types = [], packages, exceptPackages }) {
  const allowed = [room, ...rooms, ...types];
  const patterns = [
    ...[...ROOMS, 'test', 'packages']
      .filter((other) => !allowed.includes(other))
      .map((other) => ({ regex: importsOf(room, other), message: `${room}/ must not import ${other}/.` })),
    ...types.map((other) => ({
      regex: importsOf(room, other),
      allowTypeImports: true,
      message: `${room}/ may import only types from ${other}/.`,
    })),
    ...(packages
      ? [{ regex: `^(?!\\.)(?!(${packages})$)`, message: `${room}/ must not import this package.` }]
      : []),
    ...(exceptPackages
      ? [{ regex: `^(${exceptPackages})`, message: `${room}/ must not import this package.` }]
      : []),
  ];
  return {
    files: [`${room}/**/*.ts`],
    rules: { '@typescript-eslint/no-restricted-imports': ['error', { patterns }] },
  };
}

/**
 * Lets the source of a workspace package import only its own files and packages that match
 * `packages`.
 */
function packageMayImport(name, packages) {
  const others = [...ROOMS, 'test', 'packages', 'process-lock', 'store-engine', 'client', 'cli'].join('|');
  const refuse = (files, regexes) => ({
    files: [`packages/${name}/${files}/**/*.ts`],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        { patterns: regexes.map((regex) => ({ regex, message: `packages/${name} must not import this.` })) },
      ],
    },
  });
  return [
    refuse('src', [`^(\\.\\./)+(${others})/`, `^(?!\\.)(?!(${packages})$)`]),
    refuse('{test,bench}', ['^(\\.\\./){2,}(?!src/)']),
  ];
}

export default defineConfig(
  { ignores: ['**/dist', '{data,coverage,build-output}', '**/generators/programs', '**/client/src/api.ts'] },
  js.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        projectService: true,
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      'max-lines': ['error', { max: 400, skipComments: true }],
      // Prettier decides the width of code.
      'max-len': ['error', { code: 1_000, comments: 100, ignoreUrls: true, ignoreTemplateLiterals: true }],
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-unnecessary-condition': [
        'error',
        { allowConstantLoopConditions: 'only-allowed-literals' },
      ],
      '@typescript-eslint/only-throw-error': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { ignoreRestSiblings: true, varsIgnorePattern: '^_', argsIgnorePattern: '^_' },
      ],
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
    },
  },
  mayImport('domain', { packages: 'nothing-from-npm-or-node' }),
  mayImport('workflows', { rooms: ['domain'], packages: '@temporalio/(workflow|common)' }),
  mayImport('workflows/client', {
    rooms: ['domain', 'workflows', 'platform/concurrency'],
    types: ['platform/config', 'platform/tracing'],
    packages: '@temporalio/(client|common)|node:.*',
  }),
  mayImport('activities', {
    rooms: ['domain', 'schema', 'store', ...APPLICATION, 'deliveries', 'workflows'],
    types: ['platform/tracing'],
    exceptPackages: 'koa|@koa|mongoose|@parlance/|@temporalio/(client|worker|workflow)',
  }),
  mayImport('deliveries', {
    rooms: [
      'domain',
      'store',
      'schema',
      'application/auth',
      'application/channels',
      'application/files',
      'application/posting',
      'platform/concurrency',
    ],
    types: ['platform/tracing', 'workflows'],
    exceptPackages: 'koa|@koa|mongoose|mongodb|@parlance/|@temporalio/',
  }),
  mayImport('store', {
    rooms: ['domain', 'schema', 'platform/concurrency', 'platform/patches'],
    packages: 'mongoose|node:.*|re2js|s3mini|typebox',
  }),
  mayImport('application/auth', { rooms: ['domain', 'store'], packages: 'jose|node:crypto' }),
  mayImport('application/business-events', {
    rooms: ['domain', 'schema', 'store', ...APPLICATION],
    exceptPackages: 'koa|@koa|mongoose|mongodb|@parlance/|@temporalio/',
  }),
  mayImport('application/channels', {
    rooms: ['domain', 'store', 'application/presenters'],
    packages: 'node:crypto',
  }),
  mayImport('application/expressions', {
    rooms: ['domain', 'platform/concurrency'],
    packages: 'jsonata|re2js|node:.*',
  }),
  mayImport('application/files', { rooms: ['domain', 'store'], packages: 'node:crypto|file-type' }),
  mayImport('application/posting', {
    rooms: ['domain', 'store', 'application/auth', 'application/presenters', 'schema', 'workflows/client'],
    types: ['platform/config'],
    exceptPackages: 'koa|@koa|mongoose|mongodb|@parlance/|@temporalio/',
  }),
  mayImport('application/presenters', { rooms: ['domain', 'store'], packages: 'nothing-from-npm-or-node' }),
  mayImport('schema', { rooms: ['domain'], packages: 'typebox.*|ajv.*|ajv-formats' }),
  mayImport('platform/concurrency', { rooms: ['domain'], packages: 'node:.*' }),
  mayImport('platform/config', { rooms: ['domain'], exceptPackages: '@parlance/' }),
  mayImport('platform/http', { packages: 'node:.*|ipaddr.js' }),
  mayImport('platform/patches', { packages: 'node:.*' }),
  mayImport('platform/tracing', { types: ['platform/config'], packages: '@opentelemetry/.*' }),
  mayImport('api', {
    rooms: [
      'domain',
      'store',
      ...APPLICATION,
      'schema',
      'deliveries',
      'web',
      'workflows/client',
      'platform/concurrency',
      'platform/config',
      'platform/http',
      'platform/tracing',
    ],
    exceptPackages: 'mongoose|mongodb|@parlance/|@temporalio/',
  }),
  mayImport('web', {
    rooms: ['domain'],
    exceptPackages: 'mongoose|mongodb|@parlance/(?!client$)|@temporalio/',
  }),
  mayImport('worker', {
    rooms: ROOMS.filter((room) => !NOT_FOR_WORKERS.includes(room)),
    exceptPackages: 'koa|@koa|mongoose|mongodb|@parlance/|@temporalio/client',
  }),
  mayImport('deploy/local', { rooms: [...ROOMS, 'test'], exceptPackages: '@temporalio/client' }),
  [
    packageMayImport('process-lock', 'node:.*'),
    packageMayImport('cli', 'node:.*|@parlance/(client|process-lock)'),
  ],
  packageMayImport('client', 'node:http'),
  packageMayImport('store-engine', 'bson|lmdb|mongodb|re2js|node:.*|@parlance/process-lock'),
  {
    files: ['test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        { patterns: [{ regex: '^(\\.\\./)+packages/', message: 'Packages are imported by their name.' }] },
      ],
    },
  },
  // workflows/contract.ts has names and argument types but no workflow code, so its values may be
  // imported.
  ...[
    ['{activities,api,deliveries}/**/*.ts', '^(\\.\\./)+workflows/(?!contract\\.ts$|client/)'],
    ['workflows/client/*.ts', '^\\.\\./(?!contract\\.ts$)[\\w-]+\\.ts$'],
  ].map(([files, regex]) => ({
    files: [files],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [{ regex, message: 'Only workflows/contract.ts may be imported.' }] },
      ],
    },
  })),
  {
    // A worker loads these modules once for all conversations (worker/bundle.ts): module state
    // would leak between conversations.
    files: ['domain/**/*.ts', 'workflows/*.ts'],
    ignores: ['domain/query/**'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...[
          ':matches(Program, ExportNamedDeclaration) > VariableDeclaration[kind!="const"]',
          ':matches(Program, ExportNamedDeclaration) > VariableDeclaration > VariableDeclarator > NewExpression[callee.name=/^(Weak)?Map$/]',
        ].map((selector) => ({ selector, message: 'Modules that conversations share must not keep state.' })),
      ],
    },
  },
  {
    // French has a space before some signs, at which no line may break.
    files: ['web/console/languages/fr/*.ts'],
    rules: { 'no-irregular-whitespace': ['error', { skipTemplates: true }] },
  },
  {
    // The language of a page is set after its modules are loaded.
    files: ['web/{components,console,page}/**/*.{ts,tsx}'],
    ignores: ['web/**/*texts.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...[
          'MemberExpression > Identifier.object',
          'CallExpression > Identifier',
          'VariableDeclarator > Identifier.init',
        ].map((place) => ({
          selector: `${place}[name=/^(TEXTS|WORDS|words|inbox|labels|LABELS|CONTACT|history|narrowing|selection|LOCALE|[A-Z]+_WORDS)$/]:not(:function *)`,
          message: 'Texts and their language are read while rendering, not while the module is loaded.',
        })),
      ],
    },
  },
  {
    files: TESTS,
    rules: {
      'no-restricted-imports': [
        'error',
        { paths: [{ name: 'vitest', importNames: ['it'], message: 'Tests are called `test`.' }] },
      ],
      'no-restricted-syntax': [
        'error',
        {
          // A list that grows past the number between two polls never has it.
          selector:
            "CallExpression[callee.name='eventually'] BinaryExpression[operator='==='][left.property.name=/^(length|size)$/]:not([right.value=0])",
          message: 'Wait for at least this many (>=), then compare the items.',
        },
      ],
    },
  },
  {
    files: [...TESTS, ...BENCHES],
    rules: { 'max-lines-per-function': 'off', '@typescript-eslint/no-non-null-assertion': 'off' },
  },
  {
    // Tests and benchmarks use API responses without types.
    files: [...TESTS, ...BENCHES],
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-explicit-any': 'off',
      // The store must support clients that use deprecated forms.
      '@typescript-eslint/no-deprecated': 'off',
    },
  },
  {
    files: ['**/*.mjs', 'deploy/*.js'],
    ...tseslint.configs.disableTypeChecked,
    languageOptions: {
      ...tseslint.configs.disableTypeChecked.languageOptions,
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        fetch: 'readonly',
        AbortSignal: 'readonly',
        Buffer: 'readonly',
        setInterval: 'readonly',
        clearInterval: 'readonly',
      },
    },
  },
);
