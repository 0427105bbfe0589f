// Run by mongosh against the first member: initiates the replica set, unless it exists, and waits
// for its primary.
/* global rs, db, sleep */
const members = [1, 2, 3].map((n) => ({ _id: n - 1, host: `mongodb-${n}:27017` }));
try {
  rs.status();
} catch (error) {
  if (error.codeName !== 'NotYetInitialized') throw error;
  rs.initiate({ _id: 'rs0', members });
}
while (!db.hello().primary) sleep(500);
