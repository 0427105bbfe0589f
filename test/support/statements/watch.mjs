// Loaded by `node --import` before a process of the product: looks at every statement that the
// driver sends. One whose line is not in docs/statements.md is refused, and so fails the test that
// caused it; with PARLANCE_STATEMENTS=FOLDER all are written into files of that folder instead.
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

// Few of the processes that the product starts load the driver: it is not loaded here.
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
