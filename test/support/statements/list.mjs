// Writes to docs/statements.md all statements that a test run sent. Usage:
// PARLANCE_STATEMENTS=$PWD/build-output/statements npm test; node test/support/statements/list.mjs
// build-output/statements
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder = 'build-output/statements'] = process.argv.slice(2);
const PAGE = 'docs/statements.md';

const lines = new Set(
  readdirSync(folder).flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n')),
);
lines.delete('');
const listed = [...lines].sort().join('\n');
const page = readFileSync(PAGE, 'utf8');
writeFileSync(
  PAGE,
  page.replace(/```text\n[\s\S]*?\n?```/, () => `\`\`\`text\n${listed}\n\`\`\``),
);
console.log(`${PAGE} has ${lines.size} lines.`);
