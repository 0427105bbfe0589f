import { createRequire } from 'node:module';

/**
 * What is known here of the driver's connection: `cleanup` runs once when it is closed, whatever
 * closed it.
 */
interface Connection {
  socket: { emit: (event: 'drain') => boolean };
  cleanup: (error: Error) => void;
}

let mended = false;

/**
 * Keeps the driver (mongodb 7.6 to 7.9 at least) from waiting for ever. A command that is written
 * at the moment at which its socket has been destroyed and nobody has been told yet waits for the
 * socket to drain, which it never does. Where that command is the driver's own look after the
 * server, this process would never find the store again. So whoever waits is woken when the
 * connection is closed, and then sees that it is.
 */
export function mendClosedConnections(): void {
  if (mended) return;
  mended = true;
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
