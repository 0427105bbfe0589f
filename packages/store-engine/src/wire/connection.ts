import type { Socket } from 'node:net';
import { readBody } from '../commands/request.ts';
import type { CommandReply, CommandRequest } from '../commands/request.ts';
import { toStringOrEmpty } from '../bson/value.ts';
import { StoreError } from '../errors.ts';
import type { WireMessage } from './message.ts';
import { ProtocolError, announcedLength, encodeReply, buildErrorReply, parseMessage } from './message.ts';

export interface ClientConnection {
  /** Resolves when the command under way is answered and the connection closed. */
  finish(): Promise<void>;
}

export interface ConnectionOptions {
  id: number;
  run: (request: CommandRequest) => CommandReply | Promise<CommandReply>;
  /** Called for errors that are no refusals: bugs, or the disk. */
  report: (error: unknown) => void;
}

/** A beginning of a message that is not followed by its rest for so long is given up. */
const HALF_MESSAGE_MS = 30_000;

/**
 * Serves one client: its messages one after the other. What is no MongoDB message closes the
 * connection and nothing else.
 */
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

/** Cuts what arrives into whole messages; throws ProtocolError for a length that cannot be. */
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

/** Waits when the client does not take its answers, so that they do not pile up here. */
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
