interface ServerAddresses {
  mongodbUri?: string;
  temporalAddress?: string;
  temporalNamespace?: string;
}

interface Fault {
  name?: string;
  message?: string;
  code?: unknown;
  cause?: Fault;
  /** Present in gRPC responses. */
  metadata?: unknown;
}

const NOT_FOUND = 5;
const REFUSED = new Set<unknown>([7, 16]);
/** MongoDB error codes; 8000 is the code of Atlas. */
const NOT_AUTHENTICATED = new Set<unknown>([18, 13, 8000]);

/**
 * Returns why a process cannot start, in one line with the variable and the remedy, or undefined if
 * the operator cannot fix the cause. Repeats no MONGODB_URI, which may contain a password.
 */
export function startFault(error: unknown, places: ServerAddresses): string | undefined {
  const fault = (error ?? {}) as Fault;
  return storeFault(fault) ?? temporalFault(fault, places) ?? explainCause(fault, places);
}

function storeFault({ name = '', message = '', code, cause }: Fault): string | undefined {
  if (name === 'WrongClockError') return message;
  if (name === 'OldMongodbError') return `MONGODB_URI: ${message}.`;
  // The operator can fix every cause of a failed connection.
  if (name === 'StoreConnectionError') return storeFault(cause ?? {}) ?? unusableAddress(cause ?? {});
  if (!/^Mongo/.test(name)) return undefined;
  if (/wire version/.test(message))
    return 'MONGODB_URI: the MongoDB there is too old. 7.0 or newer is needed.';
  if (NOT_AUTHENTICATED.has(code))
    return 'MONGODB_URI: the server there refuses the user or the password in it, or gives it no right to the database.';
  if (/ServerSelection|Network|Timeout/.test(name))
    return `MONGODB_URI: no MongoDB responds there (${lastCharacters(message)}). Start it, or correct the address.`;
  return undefined;
}

/** Returns a message with the error's text, unless the text may contain credentials. */
function unusableAddress({ message = '' }: Fault): string {
  const why = /unescaped|malformed|@/.test(message)
    ? 'special characters in its user and password must be percent-encoded'
    : lastCharacters(message);
  return `MONGODB_URI: the address cannot be used (${why}). Correct it.`;
}

function temporalFault(
  fault: Fault,
  { temporalAddress, temporalNamespace }: ServerAddresses,
): string | undefined {
  const { name = '', message = '', code, metadata } = fault;
  const isAnswer = name === 'ServiceError' || metadata !== undefined;
  const at = String(temporalAddress);
  if (name === 'OldServerError') return `TEMPORAL_ADDRESS: at ${at} ${message}.`;
  if (isAnswer && code === NOT_FOUND)
    return `TEMPORAL_NAMESPACE: the Temporal server at ${at} has no namespace "${String(temporalNamespace)}". Make it: temporal operator namespace create --namespace ${String(temporalNamespace)}`;
  if (isAnswer && REFUSED.has(code))
    return `TEMPORAL_API_KEY or TEMPORAL_TLS_*: the Temporal server at ${at} refuses this process (${lastCharacters(message)}).`;
  if (name === 'TransportError' || /Failed to connect before the deadline/.test(message))
    return `TEMPORAL_ADDRESS: no Temporal server responds at ${at}. Start it, or correct the address and TEMPORAL_TLS.`;
  return undefined;
}

function explainCause({ cause }: Fault, places: ServerAddresses): string | undefined {
  return cause === undefined ? undefined : startFault(cause, places);
}

/** Returns the end of the first line, where libraries put the cause. */
function lastCharacters(message: string): string {
  return (message.split('\n')[0] ?? '').slice(-120);
}
