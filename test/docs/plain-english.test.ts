import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, test } from 'vitest';

/** Phrases that make a reader read twice (CONTRIBUTING, "Plain English"). */
const DIALECT = [
  /(?<=^|[.!?:;]\s+)(?:What|Who|Whom|Whose|Of)\s(?!course)/gm,
  /\b(?:who|what|which|where)ever\b/gi,
  /\b(?:tells?|told|says?|said|hears?|heard)\b/gi,
  /^answers?\b|\banswers? (?:the|an?|what|whether|how|who|with|null|it|its|in|to|nothing|true|false|that)\b/gim,
  /\b(?:no|some|any)body\b|\b(?:meanwhile|anew|likewise|afresh)\b/gi,
  /\b(?:those|ones?) (?:that|who|which|of)\b/gi,
  /\bas (?:it|they) (?:is|are|was|were|stood|came)\b/gi,
  /\b(?:is|are|was|were) none\b|\bhas it\b|\bnot there\b/gi,
  /(?<!\bthere )\b(?:is|are) no (?!longer|more)[a-z]+/gi,
  /\b(?:goes?|went|gone|going) (?:on|with|through|along)\b|\b(?:comes?|came) to an end\b/gi,
  /\bof its own\b|\bso (?:many|long|much)\b(?! as)/gi,
  /\blets? go of\b|\b(?:at|in) hand\b|\bout of (?:use|sight)\b/gi,
];

/** Maximum number of matches of `DIALECT` per 1,000 words, for each kind of text. */
const LIMITS = {
  comments: 2,
  'test comments': 2,
  'test titles': 2,
  decisions: 2,
  specification: 3,
  guides: 2,
  'texts of the API': 2,
  'texts of pages': 2,
  'texts of programs': 2,
} as const;
/** Maximum number of comment words per line of the product's code, tests excluded. */
const MOST_COMMENT_WORDS_PER_LINE = 0.6;

type Kind = keyof typeof LIMITS;

const GENERATED =
  /client\/src\/api\.ts$|generators\/programs|docs\/(licences|statements|webhook-payloads)\.md$/;
const NOT_PRODUCT = /(^|\/)test\/|^docs\/|^examples\/|^web\/texts\/(?!en\.)|^(vitest|oxlint)\.config/;
const COMMENT = /\/\*\*?(?!\/)([\s\S]*?)\*\/|(?:^|[\s;{,(])\/\/ ?(.*)$/gm;
const TITLE = /^\s*(?:test|describe)(?:\.\w+(?:\([^)]*\))?)?\(\s*(['"`])((?:\\.|(?!\1)[\s\S])*)\1/gm;

const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mjs', '*.md'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file && !GENERATED.test(file));

function textsOf(file: string): [Kind, string][] {
  const text = readFileSync(file, 'utf8');
  if (file.endsWith('.md')) return [[kindOfPage(file), prose(text)]];
  const isTest = /(^|\/)test\//.test(file);
  const comments = [...text.matchAll(COMMENT)].map(([, block, line]) =>
    (block ?? line ?? '').replace(/^\s*\* ?/gm, '').trim(),
  );
  const titles = isTest ? [...text.matchAll(TITLE)].map(([, , title = '']) => title) : [];
  return [
    ...comments.map((comment): [Kind, string] => [isTest ? 'test comments' : 'comments', comment]),
    ...titles.map((title): [Kind, string] => ['test titles', title]),
    ...(NOT_PRODUCT.test(file) ? [] : stringsOf(file, text)),
  ];
}

/**
 * Returns the strings of at least four words in a file of the product: descriptions, errors, labels
 * and logs. Shorter strings are seldom sentences.
 */
function stringsOf(file: string, text: string): [Kind, string][] {
  const strings: string[] = [];
  const visit = (node: ts.Node) => {
    const string = stringOf(node);
    if (string === undefined || ts.isTemplateExpression(node)) ts.forEachChild(node, visit);
    if (string !== undefined && words(string) >= 4) strings.push(string.trim());
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest));
  return strings.map((string) => [kindOfStrings(file), string]);
}

/** Returns the text of a literal, a template or their sum, with `X` for each other expression. */
function stringOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node) || ts.isJsxText(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map(({ literal }) => `X${literal.text}`).join('');
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return undefined;
  return (stringOf(node.left) ?? 'X') + (stringOf(node.right) ?? 'X');
}

function kindOfStrings(file: string): Kind {
  if (/^(api|application|domain|schema|store)\//.test(file)) return 'texts of the API';
  return file.startsWith('web/') ? 'texts of pages' : 'texts of programs';
}

function kindOfPage(file: string): Kind {
  if (file.startsWith('docs/decisions/')) return 'decisions';
  return file.startsWith('docs/specification/') ? 'specification' : 'guides';
}

/** Returns a page without its examples, its code and the addresses of its links. */
function prose(text: string): string {
  return text
    .replace(/^\s*```[\s\S]*?^\s*```/gm, '')
    .replace(/`[^`]*`/g, 'X')
    .replace(/\]\([^)]*\)/g, ']');
}

const words = (text: string) => text.match(/[A-Za-z][A-Za-z'’-]*/g)?.length ?? 0;
const texts = files.flatMap(textsOf);
const ofKind = (kind: Kind) => texts.filter(([own]) => own === kind).map(([, text]) => text);

test.each(Object.keys(LIMITS) as Kind[])('every kind of text has few phrases of `DIALECT`: %s', (kind) => {
  const all = ofKind(kind);
  const total = all.reduce((sum, text) => sum + words(text), 0);
  expect(total).toBeGreaterThan(1_000);
  const hits = all.flatMap((text) =>
    DIALECT.flatMap((pattern) => [...text.matchAll(pattern)].map(([hit]) => hit)),
  );
  expect((1_000 * hits.length) / total, [...new Set(hits)].slice(0, 40).join(', ')).toBeLessThanOrEqual(
    LIMITS[kind],
  );
});

test('test titles begin with a subject or an active verb', () => {
  // A phrase before the subject ends with a comma: "without a secret, nothing is signed".
  const fragment =
    /^(?:(?:is|are|was|of|that|has|have|can|cannot|may|does|do)\s|(?:with|without|to|in|for|from)\s[^,]*$)/;
  const fragments = files
    .filter((file) => /(^|\/)test\//.test(file))
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(TITLE)])
    .filter(([call, , title = '']) => !call.trimStart().startsWith('describe') && fragment.test(title));
  expect(fragments.map(([, , title]) => title)).toEqual([]);
});

test('the code of the product has at most 0.6 words of comments per line', () => {
  const code = files.filter((file) => !/\.md$|(^|\/)test\//.test(file));
  const lines = code.reduce((sum, file) => sum + readFileSync(file, 'utf8').split('\n').length, 0);
  const total = ofKind('comments').reduce((sum, text) => sum + words(text), 0);
  expect(total / lines).toBeLessThanOrEqual(MOST_COMMENT_WORDS_PER_LINE);
});

test('decisions have at most 400 words', () => {
  const pages = files.filter((file) => /^docs\/decisions\/(?!README)/.test(file));
  const long = pages.filter((file) => readFileSync(file, 'utf8').trim().split(/\s+/).length > 400);
  expect(pages.length).toBeGreaterThan(20);
  expect(long).toEqual([]);
});

test('no line of Markdown is wider than 160 columns outside tables and examples', () => {
  const wide = files
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) => {
      const rows = readFileSync(file, 'utf8')
        .replace(/^\s*```[\s\S]*?^\s*```/gm, '')
        .split('\n');
      return rows
        .filter((row) => row.length > 160 && !/^\s*\|/.test(row))
        .map((row) => `${file}: ${row.slice(0, 60)}`);
    });
  expect(wide).toEqual([]);
});
