import { StoreError, notSupported } from '../errors.ts';
import { aggregate } from './aggregate.ts';
import { count } from './count.ts';
import { remove } from './delete.ts';
import { explain } from './explain.ts';
import { findAndModify } from './find-and-modify.ts';
import { find, getMore, killCursors } from './find.ts';
import { createIndexes, dropIndexes, listIndexes } from './indexes.ts';
import { insert } from './insert.ts';
import { create, drop, dropDatabase, listCollections, listDatabases } from './namespaces.ts';
import type { CommandReply, CommandHandler, CommandRequest, Store } from './request.ts';
import { checkConcerns } from './request.ts';
import * as session from './session.ts';
import { noteArrival } from './turns.ts';
import { update } from './update.ts';

const COMMANDS: Record<string, CommandHandler> = {
  hello: session.hello,
  isMaster: session.hello,
  ismaster: session.hello,
  ping: session.ping,
  buildInfo: session.buildInfo,
  buildinfo: session.buildInfo,
  connectionStatus: session.connectionStatus,
  serverStatus: session.serverStatus,
  getParameter: session.getParameter,
  getLog: session.getLog,
  whatsmyuri: session.whatsMyUri,
  endSessions: session.endSessions,
  refreshSessions: session.endSessions,
  killSessions: session.endSessions,
  startSession: session.endSessions,
  find,
  getMore,
  killCursors,
  aggregate,
  count,
  insert,
  update,
  delete: remove,
  findAndModify,
  findandmodify: findAndModify,
  createIndexes,
  listIndexes,
  dropIndexes,
  create,
  drop,
  dropDatabase,
  listCollections,
  listDatabases,
  explain,
};

const NOT_SUPPORTED = [
  'abortTransaction',
  'applyOps',
  'authenticate',
  'bulkWrite',
  'collMod',
  'collStats',
  'commitTransaction',
  'compact',
  'convertToCapped',
  'createUser',
  'currentOp',
  'dbHash',
  'dbStats',
  'distinct',
  'filemd5',
  'getCmdLineOpts',
  'hostInfo',
  'mapReduce',
  'renameCollection',
  'replSetGetStatus',
  'saslContinue',
  'saslStart',
  'top',
  'usersInfo',
  'validate',
];

export function runCommand(store: Store, request: CommandRequest): CommandReply | Promise<CommandReply> {
  const command = Object.hasOwn(COMMANDS, request.name) ? COMMANDS[request.name] : undefined;
  if (!command) {
    if (NOT_SUPPORTED.includes(request.name)) throw notSupported(`the command ${request.name}`);
    throw new StoreError('CommandNotFound', `no such command: '${request.name}'`);
  }
  checkConcerns(request);
  noteArrival();
  return command(store, request);
}
