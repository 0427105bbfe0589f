import type { Socket } from 'node:net';
import { readBody } from '../commands/request.ts';
import type { CommandReply, CommandRequest } from '../commands/request.ts';
import { toStringOrEmpty } from '../bson/value.ts';
import { StoreError } from '../errors.ts';
import { encodeBehind } from '../bson/encode.ts';

export interface ClientConnection {
  /** Closes the connection after the running commands have sent their replies. */
  finish(): Promise<void>;
}

export interface ConnectionOptions {
  id: number;
  run: (request: CommandRequest) => CommandReply | Promise<CommandReply>;
  report: (error: unknown) => void;
}

/** Timeout for the rest of a message whose beginning has arrived. */
const HALF_MESSAGE_MS = 30_000;

/** Runs the client's messages in order. A malformed message closes this connection only. */
export function serveConnection(socket: Socket, options: ConnectionOptions): ClientConnection {
  const messages = messageReader();
  let working = Promise.resolve();
  let finishing = false;
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  socket.on('timeout', () => socket.destroy());
  socket.on('data', (chunk) => {
    try {
      for (const bytes of messages.read(chunk)) enqueue(parseMessage(bytes));
    } catch (error) {
      if (!(error instanceof ProtocolError)) options.report(error);
      socket.destroy();
    }
    socket.setTimeout(messages.waiting() > 0 ? HALF_MESSAGE_MS : 0);
  });

  function enqueue(message: WireMessage): void {
    if (!finishing) working = working.then(() => replyTo(message));
  }

  async function replyTo(message: WireMessage): Promise<void> {
    if (socket.destroyed) return;
    const bytes = encodeReply(message, await runMessage(message, options));
    if (!message.silent && socket.writable && !socket.write(bytes)) await waitForDrain(socket);
  }

  return {
    finish: async () => {
      finishing = true;
      await working;
      socket.destroySoon();
    },
  };
}

/** Throws ProtocolError for an impossible length or operation. */
function messageReader() {
  let received: Buffer[] = [];
  let size = 0;

  function merge(): Buffer {
    const [only] = received;
    const all = received.length === 1 && only ? only : Buffer.concat(received);
    received = [all];
    return all;
  }

  return {
    waiting: (): number => size,
    *read(chunk: Buffer): Generator<Buffer> {
      received.push(chunk);
      size += chunk.length;
      while (size >= 4) {
        const [first] = received;
        const length = announcedLength(first && first.length >= Math.min(size, 16) ? first : merge());
        if (size < length) return;
        const all = merge();
        received = all.length > length ? [all.subarray(length)] : [];
        size -= length;
        yield all.subarray(0, length);
      }
    },
  };
}

function waitForDrain(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      socket.off('drain', done);
      socket.off('close', done);
      resolve();
    };
    socket.on('drain', done);
    socket.on('close', done);
  });
}

async function runMessage(message: WireMessage, options: ConnectionOptions): Promise<object> {
  try {
    return await options.run(toCommandRequest(message, options.id));
  } catch (error) {
    if (!(error instanceof StoreError)) options.report(error);
    return buildErrorReply(error);
  }
}

function toCommandRequest(message: WireMessage, connection: number): CommandRequest {
  const { body, documents } = readBody(message.body);
  const [name = ''] = body.keys();
  const database = message.database ?? body.get('$db');
  if (typeof database !== 'string' || database === '' || /[/\\. "$\0]/.test(database)) {
    throw new StoreError('InvalidNamespace', `Invalid database name: '${toStringOrEmpty(database)}'`);
  }
  const sequences = documents
    ? new Map([...message.sequences, ['documents', documents] as const])
    : message.sequences;
  return { name, database, body, sequences, connection };
}

const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;

const HEADER_BYTES = 16;
const CHECKSUM_PRESENT = 1;
const MORE_TO_COME = 2;
/** The protocol requires that unknown flags among the low sixteen are refused. */
const REQUIRED_FLAGS = 0xffff & ~(CHECKSUM_PRESENT | MORE_TO_COME);

const MAX_MESSAGE_BYTES = 48_000_000;

/** After malformed input, the start of the next message is unknown, so the connection is closed. */
class ProtocolError extends Error {}

interface WireMessage {
  requestId: number;
  opCode: number;
  silent: boolean;
  body: Buffer;
  sequences: Map<string, Buffer[]>;
  /** Database of `<database>.$cmd` in a legacy handshake. */
  database: string | undefined;
}

function announcedLength(bytes: Buffer): number {
  const length = bytes.readInt32LE(0);
  if (length < HEADER_BYTES + 5 || length > MAX_MESSAGE_BYTES)
    throw new ProtocolError(`a message of ${length} bytes`);
  // The first bytes of another protocol may look like a length: check the operation before waiting
  // for the rest.
  const opCode = bytes.length >= HEADER_BYTES ? bytes.readInt32LE(12) : OP_MSG;
  if (opCode !== OP_MSG && opCode !== OP_QUERY) throw new ProtocolError(`the operation ${opCode}`);
  return length;
}

function parseMessage(bytes: Buffer): WireMessage {
  const requestId = bytes.readInt32LE(4);
  const opCode = bytes.readInt32LE(12);
  try {
    if (opCode === OP_MSG) return parseMsg(bytes, requestId);
    if (opCode === OP_QUERY) return parseQuery(bytes, requestId);
  } catch (error) {
    throw error instanceof RangeError ? new ProtocolError('a message that is cut off') : error;
  }
  throw new ProtocolError(`the operation ${opCode}`);
}

function documentAt(bytes: Buffer, offset: number): Buffer {
  const size = bytes.readInt32LE(offset);
  if (size < 5 || offset + size > bytes.length) throw new ProtocolError('a document that leaves its message');
  return bytes.subarray(offset, offset + size);
}

function parseMsg(whole: Buffer, requestId: number): WireMessage {
  const flags = whole.readUInt32LE(HEADER_BYTES);
  if (flags & REQUIRED_FLAGS) throw new ProtocolError(`the flags ${flags}`);
  const bytes = flags & CHECKSUM_PRESENT ? whole.subarray(0, -4) : whole;
  const sequences = new Map<string, Buffer[]>();
  let body: Buffer | undefined;
  let at = HEADER_BYTES + 4;
  while (at < bytes.length) {
    const kind = bytes.readUInt8(at);
    if (kind === 0 && !body) {
      body = documentAt(bytes, at + 1);
      at += 1 + body.length;
    } else if (kind === 1) {
      at = readSequence({ bytes, at: at + 1 }, sequences);
    } else {
      throw new ProtocolError(`a section of the kind ${kind}`);
    }
  }
  if (!body) throw new ProtocolError('a message without body');
  return {
    requestId,
    opCode: OP_MSG,
    silent: (flags & MORE_TO_COME) !== 0,
    body,
    sequences,
    database: undefined,
  };
}

function readSequence(
  { bytes, at }: { bytes: Buffer; at: number },
  sequences: Map<string, Buffer[]>,
): number {
  const end = at + bytes.readInt32LE(at);
  const nameEnd = bytes.indexOf(0, at + 4);
  if (end > bytes.length || nameEnd === -1 || nameEnd >= end)
    throw new ProtocolError('a document sequence that is cut off');
  const documents: Buffer[] = [];
  let position = nameEnd + 1;
  while (position < end) {
    const document = documentAt(bytes.subarray(0, end), position);
    documents.push(document);
    position += document.length;
  }
  sequences.set(bytes.toString('utf8', at + 4, nameEnd), documents);
  return end;
}

function parseQuery(bytes: Buffer, requestId: number): WireMessage {
  const nameEnd = bytes.indexOf(0, HEADER_BYTES + 4);
  if (nameEnd === -1) throw new ProtocolError('a query without name');
  const name = bytes.toString('utf8', HEADER_BYTES + 4, nameEnd);
  if (!name.endsWith('.$cmd')) throw new ProtocolError('a legacy query');
  const body = documentAt(bytes, nameEnd + 9);
  return {
    requestId,
    opCode: OP_QUERY,
    silent: false,
    body,
    sequences: new Map(),
    database: name.slice(0, -5),
  };
}

let replyId = 0;

function encodeReply(message: WireMessage, answer: object): Buffer {
  const isMsg = message.opCode === OP_MSG;
  const room = HEADER_BYTES + (isMsg ? 5 : 20);
  const bytes = encodeBehind(room, answer);
  bytes.fill(0, 0, room);
  replyId = (replyId + 1) | 0;
  bytes.writeInt32LE(bytes.length, 0);
  bytes.writeInt32LE(replyId, 4);
  bytes.writeInt32LE(message.requestId, 8);
  bytes.writeInt32LE(isMsg ? OP_MSG : OP_REPLY, 12);
  if (!isMsg) {
    bytes.writeInt32LE(8, HEADER_BYTES);
    bytes.writeInt32LE(1, HEADER_BYTES + 16);
  }
  return bytes;
}

function buildErrorReply(error: unknown): object {
  if (error instanceof StoreError) {
    return { ok: 0, errmsg: error.message, code: error.code, codeName: error.codeName, ...error.extra };
  }
  return { ok: 0, errmsg: 'Internal error, see the log of the store', code: 1, codeName: 'InternalError' };
}
