import { Long } from 'bson';
import type { CommandReply, CommandRequest, Store } from './request.ts';
import { checkFields } from './request.ts';

const WIRE_VERSION = 21;
const VERSION = '7.0.0';

/** Distinguishes the engine from a MongoDB server. */
export const MARKER = { parlanceStore: true };

export function hello(_store: Store, request: CommandRequest): CommandReply {
  const name = request.name === 'hello' ? 'isWritablePrimary' : 'ismaster';
  return {
    helloOk: true,
    [name]: true,
    ...MARKER,
    maxBsonObjectSize: 16 * 1024 * 1024,
    maxMessageSizeBytes: 48_000_000,
    maxWriteBatchSize: 100_000,
    localTime: new Date(),
    logicalSessionTimeoutMinutes: 30,
    connectionId: request.connection,
    minWireVersion: 0,
    maxWireVersion: WIRE_VERSION,
    readOnly: false,
    ok: 1,
  };
}

export function buildInfo(): CommandReply {
  return {
    version: VERSION,
    ...MARKER,
    gitVersion: 'none',
    modules: [],
    versionArray: [7, 0, 0, 0],
    storageEngines: ['lmdb'],
    bits: 64,
    debug: false,
    maxBsonObjectSize: 16 * 1024 * 1024,
    ok: 1,
  };
}

export function ping(): CommandReply {
  return { ok: 1 };
}

export function connectionStatus(): CommandReply {
  return { authInfo: { authenticatedUsers: [], authenticatedUserRoles: [] }, ok: 1 };
}

/** Does nothing, because the engine keeps no sessions. */
export function endSessions(_store: Store, request: CommandRequest): CommandReply {
  checkFields(request, []);
  return { ok: 1 };
}

export function serverStatus(store: Store): CommandReply {
  const { user, system } = process.cpuUsage();
  return {
    host: '127.0.0.1',
    version: VERSION,
    process: 'parlance-store',
    pid: process.pid,
    uptime: Math.floor((Date.now() - store.startedAt.getTime()) / 1000),
    localTime: new Date(),
    metrics: { cursor: { open: { total: store.cursors.count() } } },
    mem: { resident: Math.round(process.memoryUsage.rss() / 1024 / 1024) },
    extra_info: { user_time_us: Long.fromNumber(user), system_time_us: Long.fromNumber(system) },
    ok: 1,
  };
}

export function getParameter(_store: Store, request: CommandRequest): CommandReply {
  checkFields(request, ['featureCompatibilityVersion']);
  return request.body.has('featureCompatibilityVersion')
    ? { featureCompatibilityVersion: { version: '7.0' }, ok: 1 }
    : { ok: 1 };
}

export function getLog(): CommandReply {
  return { totalLinesWritten: 0, log: [], ok: 1 };
}

export function whatsMyUri(_store: Store, request: CommandRequest): CommandReply {
  return { you: `127.0.0.1:${request.connection}`, ok: 1 };
}
