import type { Socket } from 'node:net';
import { deserialize, serialize } from 'bson';
import type { Document } from 'bson';

const HEADER_BYTES = 16;
/** Offset of the document in an OP_MSG: after the header, the flags and the section kind. */
const BODY_AT = HEADER_BYTES + 5;
const OP_MSG = 2013;

/** Calls `take` with every complete message of MongoDB's wire protocol. */
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

/** Returns whether a message is an OP_MSG, the form of commands and replies since MongoDB 3.6. */
export function isCommand(message: Buffer): boolean {
  return message.readInt32LE(12) === OP_MSG;
}

/** Parses the document of a command or reply, without its document sequences. */
export function parseBody(message: Buffer): Document {
  return deserialize(message.subarray(BODY_AT, BODY_AT + message.readInt32LE(BODY_AT)), {
    promoteValues: false,
  });
}

/** Builds the reply to the request with this number. */
export function encodeReply(request: number, body: Document): Buffer {
  const document = serialize(body);
  const message = Buffer.alloc(BODY_AT + document.length);
  message.writeInt32LE(message.length, 0);
  message.writeInt32LE(request, 8);
  message.writeInt32LE(OP_MSG, 12);
  message.set(document, BODY_AT);
  return message;
}
