import { readFileSync } from 'node:fs';
import js from '@eslint/js';
import tseslint from 'typescript-eslint';

/** The folders of the product, those of its tests, and the packages beside it. */
const FOLDERS = [
  ...JSON.parse(readFileSync(new URL('tsconfig.build.json', import.meta.url), 'utf8')).include,
  'test',
  'packages',
];

const NOT_FOR_WORKERS = ['api', 'presenters', 'viewer', 'embedded', 'examples', 'test', 'packages'];

const TESTS = ['test/**/*.ts', 'packages/*/test/**/*.ts'];
const BENCHES = ['bench/**/*.ts', 'packages/*/bench/**/*.ts'];

/**
 * The import table of docs/architecture.md ("Rooms"): a folder may import its own files, the
 * folders named in `folders`, type-only imports of those in `types`, and the packages matched by
 * `packages`. Everything else is refused here, so that the architecture holds by machine and not by
 * memory.
 */
function mayImport(folder, { folders = [], types = [], packages, exceptPackages }) {
  const refused = FOLDERS.filter((other) => ![folder, ...folders, ...types].includes(other));
  const patterns = [
    { regex: `^(\\.\\./)+(${refused.join('|')})/`, message: `${folder}/ must not import this folder.` },
    ...types.map((other) => ({
      regex: `^(\\.\\./)+${other}/`,
      allowTypeImports: true,
      message: `${folder}/ may import only types from ${other}/.`,
    })),
    ...(packages
      ? [{ regex: `^(?!\\.)(?!(${packages})$)`, message: `${folder}/ must not import this package.` }]
      : []),
    ...(exceptPackages
      ? [{ regex: `^(${exceptPackages})`, message: `${folder}/ must not import this package.` }]
      : []),
  ];
  return {
    files: [`${folder}/**/*.ts`],
    rules: { '@typescript-eslint/no-restricted-imports': ['error', { patterns }] },
  };
}

/**
 * A package of the workspace imports the packages that are matched by `packages`, and no file of
 * the product or of another package.
 */
function packageMayImport(name, packages) {
  const others = [...FOLDERS, 'bench', 'process-lock', 'store-engine', 'client', 'cli'].join('|');
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

export default tseslint.config(
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
      // Code is as wide as the formatter has it.
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
  mayImport('workflows', {
    folders: ['domain'],
    types: ['activities'],
    packages: '@temporalio/(workflow|common)',
  }),
  mayImport('activities', {
    folders: [
      'domain',
      'store',
      'schema',
      'presenters',
      'auth',
      'posting',
      'expressions',
      'business-events',
      'deliveries',
      'workflows',
    ],
    types: ['tracing'],
    exceptPackages: 'koa|@koa|mongoose|@parlance/|@temporalio/(client|worker|workflow)',
  }),
  mayImport('store', { folders: ['domain', 'concurrency', 'patches'], packages: 'mongoose|node:.*|re2js' }),
  mayImport('schema', { folders: ['domain'], packages: 'typebox.*|ajv.*|ajv-formats' }),
  mayImport('presenters', { folders: ['domain', 'store'], packages: 'nothing-from-npm-or-node' }),
  mayImport('auth', { folders: ['domain', 'store'], packages: 'jose' }),
  mayImport('temporal', {
    folders: ['domain', 'workflows', 'concurrency'],
    types: ['config', 'tracing'],
    packages: '@temporalio/(client|common)|node:.*',
  }),
  mayImport('posting', {
    folders: ['domain', 'store', 'schema', 'presenters', 'auth', 'temporal'],
    types: ['config'],
    exceptPackages: 'koa|@koa|mongoose|mongodb|@parlance/|@temporalio/',
  }),
  mayImport('deliveries', {
    folders: ['domain', 'store', 'schema', 'auth', 'posting', 'concurrency'],
    types: ['tracing', 'workflows'],
    exceptPackages: 'koa|@koa|mongoose|mongodb|@parlance/|@temporalio/',
  }),
  mayImport('expressions', { folders: ['domain', 'concurrency'], packages: 'jsonata|re2js|node:.*' }),
  mayImport('business-events', {
    folders: ['domain', 'store', 'schema', 'presenters', 'auth', 'posting', 'expressions'],
    exceptPackages: 'koa|@koa|mongoose|mongodb|@parlance/|@temporalio/',
  }),
  mayImport('concurrency', { packages: 'node:.*' }),
  mayImport('patches', { packages: 'node:.*' }),
  mayImport('http', { packages: 'node:.*|ipaddr.js' }),
  mayImport('tracing', { types: ['config'], packages: '@opentelemetry/.*' }),
  mayImport('api', {
    folders: [
      'config',
      'domain',
      'store',
      'schema',
      'presenters',
      'auth',
      'temporal',
      'posting',
      'deliveries',
      'expressions',
      'business-events',
      'http',
      'concurrency',
      'tracing',
      'viewer',
    ],
    exceptPackages: 'mongoose|mongodb|@parlance/|@temporalio/',
  }),
  mayImport('viewer', {
    folders: ['domain'],
    exceptPackages: 'mongoose|mongodb|@parlance/|@temporalio/',
  }),
  mayImport('worker', {
    folders: FOLDERS.filter((one) => !NOT_FOR_WORKERS.includes(one)),
    exceptPackages: 'koa|@koa|mongoose|mongodb|@parlance/|@temporalio/client',
  }),
  mayImport('config', { folders: ['domain'], exceptPackages: '@parlance/' }),
  mayImport('embedded', {
    folders: FOLDERS.filter((one) => one !== 'packages'),
    exceptPackages: '@temporalio/client',
  }),
  [packageMayImport('process-lock', 'node:.*'), packageMayImport('cli', 'node:.*|@parlance/client')],
  packageMayImport('client', 'node:http'),
  packageMayImport('store-engine', 'bson|lmdb|mongodb|re2js|node:.*|@parlance/process-lock'),
  {
    files: ['test/**/*.ts', 'bench/**/*.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        { patterns: [{ regex: '^(\\.\\./)+packages/', message: 'Packages are imported by their name.' }] },
      ],
    },
  },
  {
    // workflows/contract.ts is the one value import across the wall: names and argument types, no
    // code of workflows.
    files: ['activities/**/*.ts', 'api/**/*.ts', 'temporal/**/*.ts', 'deliveries/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: '^(\\.\\./)+workflows/(?!contract\\.ts$)',
              message: 'Only workflows/contract.ts (names and argument types) may be imported.',
            },
          ],
        },
      ],
    },
  },
  {
    // A worker loads these once for all conversations (worker/bundle.ts): what a module remembered
    // would leak from one to the others.
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
    files: TESTS,
    rules: {
      'no-restricted-imports': [
        'error',
        { paths: [{ name: 'vitest', importNames: ['it'], message: 'Tests are called `test`.' }] },
      ],
    },
  },
  {
    files: [...TESTS, ...BENCHES],
    rules: { 'max-lines-per-function': 'off', '@typescript-eslint/no-non-null-assertion': 'off' },
  },
  {
    // Answers of the API are asserted on, not typed.
    files: [...TESTS, ...BENCHES],
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-explicit-any': 'off',
      // The store must answer clients that use the older forms too.
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
        Buffer: 'readonly',
        setInterval: 'readonly',
        clearInterval: 'readonly',
      },
    },
  },
);
