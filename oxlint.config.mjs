import { posix } from 'node:path';
import { defineConfig } from 'oxlint';

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
    rules: { 'parlance/imports': ['error', { patterns }] },
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
      'parlance/imports': [
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

/** Rules beyond those that find mistakes (`correctness`). */
const RULES = {
  'max-lines': ['error', { max: 400, skipComments: true }],
  'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
  'parlance/comment-width': ['error', 100],
  eqeqeq: ['error', 'always', { null: 'ignore' }],
  'no-unused-vars': ['error', { ignoreRestSiblings: true, varsIgnorePattern: '^_', argsIgnorePattern: '^_' }],
  'typescript/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
  'typescript/no-unnecessary-condition': ['error', { allowConstantLoopConditions: 'only-allowed-literals' }],
  'typescript/restrict-template-expressions': ['error', { allowNumber: true }],
  'typescript/restrict-plus-operands': [
    'error',
    {
      allowAny: false,
      allowBoolean: false,
      allowNullish: false,
      allowNumberAndString: false,
      allowRegExp: false,
    },
  ],
  'typescript/ban-ts-comment': ['error', { minimumDescriptionLength: 10 }],
  'typescript/return-await': ['error', 'error-handling-correctness-only'],
  // Texts are sorted without a function.
  'typescript/require-array-sort-compare': 'off',
  ...errors([
    'no-array-constructor',
    'no-case-declarations',
    'no-empty',
    'no-fallthrough',
    'no-prototype-builtins',
    'no-redeclare',
    'no-regex-spaces',
    'no-unexpected-multiline',
    'no-useless-assignment',
    'no-useless-constructor',
    'no-var',
    'prefer-const',
    'prefer-rest-params',
    'prefer-spread',
    'preserve-caught-error',
    'typescript/consistent-type-imports',
    'typescript/no-deprecated',
    'typescript/no-dynamic-delete',
    'typescript/no-empty-object-type',
    'typescript/no-explicit-any',
    'typescript/no-extraneous-class',
    'typescript/no-generated-empty-object-type',
    'typescript/no-invalid-void-type',
    'typescript/no-misused-promises',
    'typescript/no-mixed-enums',
    'typescript/no-namespace',
    'typescript/no-non-null-asserted-nullish-coalescing',
    'typescript/no-non-null-assertion',
    'typescript/no-require-imports',
    'typescript/no-unnecessary-boolean-literal-compare',
    'typescript/no-unnecessary-template-expression',
    'typescript/no-unnecessary-type-arguments',
    'typescript/no-unnecessary-type-assertion',
    'typescript/no-unnecessary-type-constraint',
    'typescript/no-unnecessary-type-conversion',
    'typescript/no-unnecessary-type-parameters',
    'typescript/no-unsafe-argument',
    'typescript/no-unsafe-assignment',
    'typescript/no-unsafe-call',
    'typescript/no-unsafe-enum-assignment',
    'typescript/no-unsafe-enum-comparison',
    'typescript/no-unsafe-function-type',
    'typescript/no-unsafe-member-access',
    'typescript/no-unsafe-return',
    'typescript/only-throw-error',
    'typescript/prefer-literal-enum-member',
    'typescript/prefer-promise-reject-errors',
    'typescript/prefer-reduce-type-parameter',
    'typescript/prefer-return-this-type',
    'typescript/related-getter-setter-pairs',
    'typescript/require-await',
    'typescript/unified-signatures',
    'typescript/use-unknown-in-catch-callback-variable',
  ]),
};

function errors(names) {
  return Object.fromEntries(names.map((name) => [name, 'error']));
}

function off(names) {
  return Object.fromEntries(names.map((name) => [name, 'off']));
}

export default defineConfig({
  ignorePatterns: [
    '**/dist',
    '{data,coverage,build-output}',
    '**/generators/programs',
    '**/client/src/api.ts',
  ],
  plugins: ['typescript'],
  jsPlugins: [{ name: 'parlance', specifier: './deploy/lint-rules.mjs' }],
  categories: { correctness: 'error' },
  options: { typeAware: true, reportUnusedDisableDirectives: 'error' },
  rules: RULES,
  overrides: [
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
    ...packageMayImport('process-lock', 'node:.*'),
    ...packageMayImport('cli', 'node:.*|@parlance/(client|process-lock)'),
    ...packageMayImport('client', 'node:http'),
    ...packageMayImport('store-engine', 'bson|lmdb|mongodb|re2js|node:.*|@parlance/process-lock'),
    {
      files: ['test/**/*.ts'],
      rules: {
        'parlance/imports': [
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
        'parlance/contract': [
          'error',
          { patterns: [{ regex, message: 'Only workflows/contract.ts may be imported.' }] },
        ],
      },
    })),
    {
      // A worker loads these modules once for all conversations (worker/bundle.ts): module state
      // would leak between conversations.
      files: ['domain/**/*.ts', 'workflows/*.ts'],
      excludeFiles: ['domain/query/**'],
      rules: {
        'parlance/syntax': [
          'error',
          ...[
            ':matches(Program, ExportNamedDeclaration) > VariableDeclaration[kind!="const"]',
            ':matches(Program, ExportNamedDeclaration) > VariableDeclaration > VariableDeclarator > NewExpression[callee.name=/^(Weak)?Map$/]',
          ].map((selector) => ({
            selector,
            message: 'Modules that conversations share must not keep state.',
          })),
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
      excludeFiles: ['web/**/*texts.ts'],
      rules: {
        'parlance/syntax': [
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
        'parlance/syntax': [
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
      // Tests and benchmarks use API responses without types.
      files: [...TESTS, ...BENCHES],
      rules: off([
        'max-lines-per-function',
        'typescript/no-explicit-any',
        'typescript/no-non-null-assertion',
        'typescript/no-unsafe-argument',
        'typescript/no-unsafe-assignment',
        'typescript/no-unsafe-call',
        'typescript/no-unsafe-member-access',
        'typescript/no-unsafe-return',
        // The store must support clients that use deprecated forms.
        'typescript/no-deprecated',
      ]),
    },
    {
      files: ['**/*.mjs', '**/*.js'],
      rules: off(Object.keys(RULES).filter((name) => name.startsWith('typescript/'))),
    },
  ],
});
