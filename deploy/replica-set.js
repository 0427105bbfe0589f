// Run by mongosh in the network of the first member. Initiates the replica set, unless it exists,
// and creates its users: `operator`, who may do everything, and `parlance`, who reads and writes
// the database of the product. Sets the password of .env again at each run.
/* global connect, db, require, rs, sleep */
// mongosh runs no modules.
const { readFileSync } = require('node:fs');
const uri = readFileSync('/keys/operator.yaml', 'utf8').replace('uri: ', '').trim();
const [, password] = /\/\/operator:(\w+)@/.exec(uri);
const members = [1, 2, 3].map((n) => ({ _id: n - 1, host: `mongodb-${n}:27017` }));

// Before the first user exists, MongoDB allows these commands over loopback without a password.
let isOpen = true;
try {
  rs.status();
} catch (error) {
  if (error.codeName === 'NotYetInitialized') rs.initiate({ _id: 'rs0', members });
  else if (error.codeName === 'Unauthorized') isOpen = false;
  else throw error;
}
while (!db.hello().primary) sleep(500);
if (isOpen) {
  const { primary, me } = db.hello();
  if (primary !== me) throw new Error(`the set has no users, and its primary is ${primary} instead of ${me}`);
  while (!db.hello().isWritablePrimary) sleep(500);
  db.getSiblingDB('admin').createUser({ user: 'operator', pwd: password, roles: ['root'] });
}

const admin = connect(uri).getSiblingDB('admin');
// mongorestore --oplogReplay needs every action.
if (!admin.getRole('anything')) {
  const everywhere = { resource: { anyResource: true }, actions: ['anyAction'] };
  admin.createRole({ role: 'anything', privileges: [everywhere], roles: [] });
  admin.grantRolesToUser('operator', ['anything']);
}
const own = { pwd: process.env.MONGODB_PASSWORD, roles: [{ role: 'readWrite', db: 'parlance' }] };
if (admin.getUser('parlance')) admin.updateUser('parlance', own);
else admin.createUser({ user: 'parlance', ...own });
