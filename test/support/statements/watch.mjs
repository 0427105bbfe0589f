// Loaded by `node --import` before a process of the product. Checks every statement of the MongoDB
// driver. Refuses a statement that docs/statements.md lacks, which fails the test. With
// PARLANCE_STATEMENTS=FOLDER, writes the statements to files in that folder instead.
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import Module from 'node:module';
import { join } from 'node:path';
import { describeCommand } from './shapes.mjs';

const folder = process.env.PARLANCE_STATEMENTS;
if (folder) mkdirSync(folder, { recursive: true });
const page = new URL('../../../docs/statements.md', import.meta.url);
const known = new Set(folder ? [] : readFileSync(page, 'utf8').split('\n'));

function look(command) {
  for (const line of describeCommand(command)) {
    if (known.has(line)) continue;
    if (!folder) throw new Error(`docs/statements.md does not have this statement: ${line}`);
    known.add(line);
    appendFileSync(join(folder, `${process.pid}.txt`), `${line}\n`);
  }
}

function watch({ prototype }) {
  const { command } = prototype;
  prototype.command = async function (namespace, statement, ...rest) {
    look(statement);
    return command.call(this, namespace, statement, ...rest);
  };
}

// Patches the driver only when a process loads it. Most processes of the product never load the
// driver.
const watched = new WeakSet();
const load = Module._load;
Module._load = function (request, parent, ...rest) {
  const loaded = load.call(this, request, parent, ...rest);
  const isConnection = /mongodb.lib.cmap/.test(parent?.filename ?? '') && request.endsWith('/connection');
  if (isConnection && loaded.Connection && !watched.has(loaded.Connection)) {
    watched.add(loaded.Connection);
    watch(loaded.Connection);
  }
  return loaded;
};
