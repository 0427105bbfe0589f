import { MongoServerSelectionError, MongoServerError, MongoCompatibilityError } from 'mongodb';
import { expect, test } from 'vitest';
import { startFault } from '../../../platform/config/start-fault.ts';
import { OldMongodbError } from '../../../store/connection/connect.ts';
import { OldServerError } from '../../../workflows/client/server-version.ts';

const PLACES = {
  mongodbUri: 'mongodb://user:secret@db:27017/parlance',
  temporalAddress: 'temporal:7233',
  temporalNamespace: 'chat',
};

const named = (name: string, message: string, more: object = {}) =>
  Object.assign(new Error(message), { name, ...more });

/** Errors as the MongoDB driver, the Temporal SDK and the product throw them. */
const FAULTS: [string, unknown, RegExp][] = [
  [
    'no MongoDB',
    new MongoServerSelectionError('connect ECONNREFUSED db:27017', {} as never),
    /^MONGODB_URI: no MongoDB responds there \(connect ECONNREFUSED db:27017\)/,
  ],
  [
    'a wrong password of MongoDB',
    new MongoServerError({ message: 'Authentication failed.', code: 18 }),
    /^MONGODB_URI: the server there refuses/,
  ],
  [
    'a MongoDB that is too old',
    new MongoCompatibilityError('Server at db:27017 reports maximum wire version 6, but …'),
    /^MONGODB_URI: the MongoDB there is too old/,
  ],
  [
    'a MongoDB that is older than what is tested',
    new OldMongodbError('6.0.19'),
    /^MONGODB_URI: the MongoDB is 6\.0\.19, and 7\.0 or newer is needed\.$/,
  ],
  [
    'an address that DNS does not know',
    named('StoreConnectionError', 'no connection', {
      cause: new Error('querySrv ENOTFOUND _mongodb._tcp.db.example.com'),
    }),
    /^MONGODB_URI: the address cannot be used \(querySrv ENOTFOUND _mongodb\._tcp\.db\.example\.com\)/,
  ],
  [
    'no Temporal, as a worker meets it',
    named('TransportError', 'tonic::transport::Error(Transport, ConnectError(…))'),
    /^TEMPORAL_ADDRESS: no Temporal server responds at temporal:7233/,
  ],
  [
    'no Temporal, as an API meets it',
    named('Error', 'Failed to connect before the deadline'),
    /^TEMPORAL_ADDRESS: no Temporal server responds at temporal:7233/,
  ],
  [
    'a Temporal that is too old',
    new OldServerError('1.27.4'),
    /^TEMPORAL_ADDRESS: at temporal:7233 the Temporal server is 1\.27\.4, and 1\.28 or newer is needed\.$/,
  ],
  [
    'a namespace that is missing',
    named('Error', '5 NOT_FOUND: Namespace chat is not found.', { code: 5, metadata: {} }),
    /^TEMPORAL_NAMESPACE: the Temporal server at temporal:7233 has no namespace "chat"\. Make it: /,
  ],
  [
    'credentials that Temporal refuses',
    named('ServiceError', 'Request unauthorized.', { code: 7 }),
    /^TEMPORAL_API_KEY or TEMPORAL_TLS_\*: .* refuses this process \(Request unauthorized\.\)/,
  ],
  [
    'a fault that another one wraps',
    new Error('cannot start', { cause: named('TransportError', 'refused') }),
    /^TEMPORAL_ADDRESS/,
  ],
];

test.each(FAULTS)('a start fault is printed on one line with the remedy: %s', (_, error, words) => {
  const said = startFault(error, PLACES);
  expect(said).toMatch(words);
  expect(said).not.toContain('\n');
  expect(said).not.toContain('secret');
});

test.each([[new TypeError('x is not a function')], [undefined], ['text']])(
  'a start fault that no operator can fix gets no remedy line: %s',
  (error) => expect(startFault(error, PLACES)).toBeUndefined(),
);
