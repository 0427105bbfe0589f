import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Product } from '../support/product.ts';
import { sharedApi } from '../support/shared-servers.ts';
import { newWidget, start } from '../support/website.ts';
import { snippetsOf } from './snippets.ts';

const SITE = 'https://shop.example';
const EMAIL = 'ada@shop.example';

/** The programs that run a snippet, with what the page of the website knows of its visitor. */
const PROGRAMS = {
  js: {
    command: [process.execPath, '--input-type=module', '-e'],
    write: (code: string) => `const user = { email: '${EMAIL}' };\n${code}\nprocess.stdout.write(signature);`,
  },
  python: {
    command: ['python3', '-c'],
    write: (code: string) =>
      `from types import SimpleNamespace\nuser = SimpleNamespace(email="${EMAIL}")\n${code}\nprint(signature, end="")`,
  },
  php: {
    command: ['php', '-r'],
    write: (code: string) => `$user = (object) ['email' => '${EMAIL}'];\n${code}\necho $signature;`,
  },
};
const isProgram = (language: string): language is keyof typeof PROGRAMS => language in PROGRAMS;

const signers = snippetsOf('widget').filter(({ language }) => isProgram(language));
let product: Product;

beforeAll(async () => {
  product = await sharedApi('guide_widget_signatures');
});
afterAll(() => product.close());

test('docs/widget.md has a signature in three languages', () => {
  expect(signers.map(({ language }) => language)).toEqual(Object.keys(PROGRAMS));
});

test.each(signers)(
  'a website signs a visitor as docs/widget.md shows in $language',
  async ({ language, code }) => {
    if (!isProgram(language)) throw new Error(language);
    const shop = await newWidget(product, { origins: [SITE] });
    const { body } = await product.admin.post(`/organizations/${shop.id}/widget/secret`);
    const { command, write } = PROGRAMS[language];
    const [program = '', ...args] = command;
    const { stdout, status, error } = spawnSync(program, [...args, write(code)], {
      encoding: 'utf8',
      env: { ...process.env, WIDGET_SECRET: body.secret },
    });
    // Not every machine has PHP.
    if (error && 'code' in error && error.code === 'ENOENT') return;
    expect(status).toBe(0);
    const visitor = { email: EMAIL, signature: stdout };
    expect((await start(product.origin, shop.id, { from: SITE, visitor })).status).toBe(200);
    const eve = { ...visitor, email: 'eve@shop.example' };
    expect((await start(product.origin, shop.id, { from: SITE, visitor: eve })).status).toBe(401);
  },
);
