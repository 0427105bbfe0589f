import { isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { refusalOf } from './address.ts';
import type { AllowedNetworks } from './address.ts';
import { boundReads } from './bounded-reads.ts';
import type { Resolve, ResolvedAddress } from './resolve.ts';

/** Every address of the target is one that webhooks may not contact. */
export class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError';
}

export interface Guard {
  allowedNetworks: AllowedNetworks;
  resolve: Resolve;
  /** For one connection. */
  timeoutMs: number;
}

/**
 * Opens connections for undici, but only to addresses that webhooks may contact (spec 7.12). The
 * check stands at the one place where an address is about to be used: a literal is checked here
 * because it skips the lookup, a name's answers are checked in the lookup whose result the socket
 * connects to, so that a name which changes its mind gains nothing.
 */
export function guardedConnector(guard: Guard): buildConnector.connector {
  const connect = buildConnector({
    lookup: guardedLookup(guard),
    autoSelectFamily: true,
    timeout: guard.timeoutMs,
  });
  return (options, callback) => {
    const host = options.hostname.replace(/^\[|\]$/g, '');
    const refusal = isIP(host) ? refusalOf(host, guard.allowedNetworks) : null;
    if (refusal) callback(refused(refusal), null);
    else connect(options, (...end) => (end[0] ? callback(end[0], null) : callback(null, boundReads(end[1]))));
  };
}

function guardedLookup({ allowedNetworks, resolve }: Guard): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname)
      .then((addresses) => permitted(addresses, allowedNetworks))
      .then(
        (addresses) => {
          if (options.all) callback(null, addresses);
          else callback(null, addresses[0].address, addresses[0].family);
        },
        (error: unknown) => callback(error as NodeJS.ErrnoException, ''),
      );
  };
}

function permitted(
  addresses: ResolvedAddress[],
  allowed: AllowedNetworks,
): [ResolvedAddress, ...ResolvedAddress[]] {
  const [first, ...rest] = addresses.filter(({ address }) => refusalOf(address, allowed) === null);
  if (first) return [first, ...rest];
  throw refused(refusalOf(addresses[0]?.address ?? '', allowed) ?? 'unreadable');
}

function refused(range: string): PrivateAddressError {
  return new PrivateAddressError(`The address is not public (${range}).`);
}
