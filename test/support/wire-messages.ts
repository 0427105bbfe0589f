import type { Socket } from 'node:net';
import { deserialize, serialize } from 'bson';
import type { Document } from 'bson';

const HEADER_BYTES = 16;
/** Before the document of an OP_MSG: header, flags, and the kind of its section. */
const BODY_AT = HEADER_BYTES + 5;
const OP_MSG = 2013;

/** Hands every message of MongoDB's wire protocol on, whole. */
export function eachMessage(socket: Socket, take: (message: Buffer) => void): void {
  let held = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    held = Buffer.concat([held, chunk]);
    while (held.length >= HEADER_BYTES && held.length >= held.readInt32LE(0)) {
      const length = held.readInt32LE(0);
      take(held.subarray(0, length));
      held = held.subarray(length);
    }
  });
}

/** Whether a message is a command or its answer, in the form that has been in use since 3.6. */
export function isCommand(message: Buffer): boolean {
  return message.readInt32LE(12) === OP_MSG;
}

/** What a command or its answer says, but for sequences of documents beside it. */
export function parseBody(message: Buffer): Document {
  return deserialize(message.subarray(BODY_AT, BODY_AT + message.readInt32LE(BODY_AT)), {
    promoteValues: false,
  });
}

/** The message that answers a request, by the request's number. */
export function encodeReply(request: number, body: Document): Buffer {
  const document = serialize(body);
  const message = Buffer.alloc(BODY_AT + document.length);
  message.writeInt32LE(message.length, 0);
  message.writeInt32LE(request, 8);
  message.writeInt32LE(OP_MSG, 12);
  message.set(document, BODY_AT);
  return message;
}
