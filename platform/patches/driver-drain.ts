import { createRequire } from 'node:module';

/** The driver runs `cleanup` once, when the connection is closed for any reason. */
interface Connection {
  socket: { emit: (event: 'drain') => boolean };
  cleanup: (error: Error) => void;
}

let isPatched = false;

/**
 * Patches `Connection.prototype.cleanup` of the MongoDB driver that mongoose uses: closing a
 * connection emits `drain` on its socket.
 *
 * The driver waits for `drain` when the socket does not accept a command at once. A destroyed
 * socket that has not emitted `close` yet never drains, so the command would wait forever. If the
 * command is the driver's own check of the server, the process never connects to the store again.
 *
 * Checked with mongodb 7.8.0; 7.6 to 7.9 behave the same
 * (test/platform/patches/driver-drain.test.ts). No upstream issue is known (docs/chaos.md).
 */
export function patchDriverDrain(): void {
  if (isPatched) return;
  isPatched = true;
  const mongoose = createRequire(import.meta.url).resolve('mongoose');
  const driver = createRequire(mongoose)('mongodb/lib/cmap/connection.js') as {
    Connection: { prototype: Connection };
  };
  const { prototype } = driver.Connection;
  const { cleanup } = prototype;
  prototype.cleanup = function (this: Connection, error: Error) {
    cleanup.call(this, error);
    this.socket.emit('drain');
  };
}
