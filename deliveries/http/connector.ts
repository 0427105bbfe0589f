import { isIP } from 'node:net';
import type { Socket } from 'node:net';
import { buildConnector } from 'undici';
import { findAddressProblem } from './address.ts';
import type { AllowedNetworks } from './address.ts';
import { boundReads, countBody } from './answer.ts';
import { lookup, Resolver } from 'node:dns/promises';
import { FairScheduler } from '../../platform/concurrency/fair-scheduler.ts';
import { withTimeout } from '../../platform/concurrency/with-timeout.ts';
import type { Dispatcher } from 'undici';

export class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError';
}

export interface Guard {
  allowedNetworks: AllowedNetworks;
  resolve: Resolve;
  timeoutMs: number;
  /** On the wire. By default, room for a response of 1 MiB. */
  maxAnswerBytes?: number;
}

/**
 * Connects undici only to addresses that webhooks may contact (spec 7.12). Each connection resolves
 * the name again and uses a checked address, against DNS rebinding.
 */
export function guardedConnector(guard: Guard): buildConnector.connector {
  const connect = buildConnector({ timeout: guard.timeoutMs });
  return (options, callback) => {
    resolveAddresses(options.hostname.replace(/^\[|\]$/g, ''), guard).then(
      (addresses) =>
        connectToFirst({ connect, options, addresses }, (...end) =>
          end[0] ? callback(end[0], null) : callback(null, boundReads(end[1], guard.maxAnswerBytes)),
        ),
      (error: unknown) => callback(error as Error, null),
    );
  };
}

/** Opens a TCP connection to a host and port, with the same checks as for webhooks. */
export async function openGuarded(
  guard: Guard,
  { host, port }: { host: string; port: number },
): Promise<Socket> {
  const connect = buildConnector({ timeout: guard.timeoutMs });
  const addresses = await resolveAddresses(host, guard);
  const options = { hostname: host, host, protocol: 'http:', port: String(port) };
  return new Promise((resolve, reject) => {
    connectToFirst({ connect, options, addresses }, (...[error, socket]) =>
      error ? reject(error) : resolve(socket),
    );
  });
}

/** Returns the addresses of a host that may be contacted. Rejects with PrivateAddressError. */
export async function resolveAddresses(
  host: string,
  { allowedNetworks, resolve }: Pick<Guard, 'allowedNetworks' | 'resolve'>,
): Promise<string[]> {
  const family = isIP(host) === 6 ? 6 : 4;
  const resolved = isIP(host) ? [{ address: host, family } as const] : await resolve(host);
  return alternateFamilies(filterPermitted(resolved, allowedNetworks)).map(({ address }) => address);
}

/** Alternates families: a machine may lack a route for IPv4 or IPv6. */
function alternateFamilies(addresses: ResolvedAddress[]): ResolvedAddress[] {
  const [four, six] = [4, 6].map((family) => addresses.filter((one) => one.family === family));
  const [first = [], second = []] = addresses[0]?.family === 6 ? [six, four] : [four, six];
  const turns = Array.from({ length: Math.max(first.length, second.length) }, (_, at) => [
    first[at],
    second[at],
  ]);
  return turns.flat().filter((one) => one !== undefined);
}

function filterPermitted(addresses: ResolvedAddress[], allowed: AllowedNetworks): ResolvedAddress[] {
  const found = addresses.filter(({ address }) => findAddressProblem(address, allowed) === null);
  if (found.length > 0) return found;
  const range = findAddressProblem(addresses[0]?.address ?? '', allowed);
  throw new PrivateAddressError(`The address is not public (${range}).`);
}

/** Delay before the next address is tried in parallel (RFC 8305). */
const NEXT_AFTER_MS = 400;

const MAX_ADDRESSES = 16;

interface Attempts {
  connect: buildConnector.connector;
  options: buildConnector.Options;
  addresses: readonly string[];
}

/**
 * Connects to the addresses of a host. Passes the first connection to `callback` and closes the
 * others. If all connections fail, passes the error of the first address.
 */
export function connectToFirst(
  { connect, options, addresses }: Attempts,
  callback: buildConnector.Callback,
): void {
  const tried = addresses.slice(0, MAX_ADDRESSES);
  const errors = new Map<number, Error>();
  let next = 0;
  let isDone = false;
  let timer: NodeJS.Timeout | undefined;

  function end(...result: Parameters<buildConnector.Callback>): void {
    isDone = true;
    clearTimeout(timer);
    callback(...result);
  }

  function connectToNext(): void {
    clearTimeout(timer);
    const at = next;
    const address = tried[at];
    if (isDone || address === undefined) return;
    next += 1;
    timer = setTimeout(connectToNext, NEXT_AFTER_MS);
    connect({ ...options, hostname: address }, (...[error, socket]) => {
      if (isDone) socket?.destroy();
      else if (!error) end(null, socket);
      else {
        errors.set(at, error);
        if (errors.size === tried.length) end(errors.get(0) ?? error, null);
        else if (at === next - 1) connectToNext();
      }
    });
  }

  connectToNext();
}

export interface ResolvedAddress {
  address: string;
  family: 4 | 6;
}

/** Rejects if the host name has no address. */
export type Resolve = (hostname: string) => Promise<ResolvedAddress[]>;

/** System lookups block threads of a small pool. */
const SYSTEM_LOOKUPS = 2;

const OTHER_FAMILY_MS = 500;

const resolver = new Resolver({ timeout: 2_000, tries: 2 });
const systemLookups = new FairScheduler({ max: SYSTEM_LOOKUPS, maxEach: 1 });

/** Resolves a host name with DNS, else with the system (hosts file, search domains). */
export async function resolveHost(hostname: string): Promise<ResolvedAddress[]> {
  const addresses = await resolveBothFamilies([
    resolver.resolve4(hostname).then((found) => found.map((address) => ({ address, family: 4 }))),
    resolver.resolve6(hostname).then((found) => found.map((address) => ({ address, family: 6 }))),
  ]);
  return addresses.length > 0
    ? addresses
    : systemLookups.run(['all', hostname], () => systemLookup(hostname));
}

/** Waits only `OTHER_FAMILY_MS` for the second family: some name servers never respond for IPv6. */
export async function resolveBothFamilies(lookups: Promise<ResolvedAddress[]>[]): Promise<ResolvedAddress[]> {
  const settled = lookups.map((one) => one.catch(() => []));
  const first = await Promise.any(settled.map(requireAddresses)).catch(() => []);
  const both = Promise.all(settled).then((found) => found.flat());
  return withTimeout(both, OTHER_FAMILY_MS, () => Promise.resolve(first));
}

async function requireAddresses(lookup: Promise<ResolvedAddress[]>): Promise<ResolvedAddress[]> {
  const found = await lookup;
  if (found.length === 0) throw new Error('No address was found.');
  return found;
}

async function systemLookup(hostname: string): Promise<ResolvedAddress[]> {
  const found = await lookup(hostname, { all: true });
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
}

/**
 * Handling a piece takes as long as handling kilobytes of data. Above this count, pieces must
 * average at least SMALL_BYTES.
 */
const MAX_SMALL_PIECES = 512;
const SMALL_BYTES = 64;

export interface Reads {
  pieces: number;
  bytes: number;
}

/** Responses with status 1xx. */
const MAX_INTERIM_ANSWERS = 8;

export const SMALL_PIECES = 'TOO_MANY_SMALL_PIECES';

/**
 * Aborts a response with too many small pieces, such as chunks of one byte, or too many interim
 * responses.
 */
export function limitSmallPieces(dispatch: Dispatcher['dispatch']): Dispatcher['dispatch'] {
  return (options, handler) => {
    let interim = 0;
    const { opaque } = options as { opaque?: Reads };
    const reads = opaque ?? { pieces: 0, bytes: 0 };
    return dispatch(options, {
      onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
      onRequestUpgrade: (...upgrade) => handler.onRequestUpgrade?.(...upgrade),
      onResponseStart(controller, status, headers, words) {
        if (status < 200) interim += 1;
        if (interim > MAX_INTERIM_ANSWERS) controller.abort(tooManyPiecesError());
        else handler.onResponseStart?.(controller, status, headers, words);
      },
      onResponseData(controller, piece) {
        reads.pieces += 1;
        reads.bytes += piece.length;
        countBody(piece.length);
        const isCrumbly = reads.pieces > MAX_SMALL_PIECES && reads.bytes < reads.pieces * SMALL_BYTES;
        if (isCrumbly) controller.abort(tooManyPiecesError());
        else handler.onResponseData?.(controller, piece);
      },
      onResponseEnd: (controller, trailers) => handler.onResponseEnd?.(controller, trailers),
      onResponseError: (controller, error) => handler.onResponseError?.(controller, error),
    });
  };
}

function tooManyPiecesError(): Error {
  return Object.assign(new Error('The response comes in too many small pieces.'), { code: SMALL_PIECES });
}
