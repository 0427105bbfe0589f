// The stand-in for mongod (stand-ins.sh). The container `mongodb-1` runs the built-in store, and
// the other containers forward to `mongodb-1`.
import { spawn } from 'node:child_process';
import { lookup } from 'node:dns/promises';
import { connect, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';

const PRIMARY = 'mongodb-1';
const PORT = 27017;
const own = Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address));
const { address } = await lookup(PRIMARY).catch(() => ({ address: undefined }));

function lead(from, port, host) {
  createServer((socket) => {
    const other = connect(port, host);
    socket.pipe(other).pipe(socket);
    socket.on('error', () => other.destroy());
    other.on('error', () => socket.destroy());
  }).listen(from, '0.0.0.0');
}

if (own.includes(address)) {
  // The store listens on loopback only.
  const args = [
    'node_modules/@parlance/store-engine/dist/main.js',
    '--data-dir',
    '/data/db',
    '--port',
    '27018',
  ];
  const store = spawn(process.execPath, args, { stdio: 'inherit' });
  store.once('exit', (code) => process.exit(code ?? 1));
  lead(PORT, 27018, '127.0.0.1');
  process.on('SIGTERM', () => store.kill('SIGTERM'));
} else {
  lead(PORT, PORT, PRIMARY);
  process.on('SIGTERM', () => process.exit(0));
}
