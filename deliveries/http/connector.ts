import { isIP } from 'node:net';
import { buildConnector } from 'undici';
import { findAddressProblem } from './address.ts';
import type { AllowedNetworks } from './address.ts';
import { boundReads } from './bounded-reads.ts';
import { connectToFirst } from './first-connection.ts';
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
 * Opens connections for undici, but only to addresses that webhooks may contact (spec 7.12). Each
 * connection resolves the name anew and is made to an address that was checked, so that a name
 * which changes its mind gains nothing. Certificates are checked against the name.
 */
export function guardedConnector(guard: Guard): buildConnector.connector {
  const connect = buildConnector({ timeout: guard.timeoutMs });
  return (options, callback) => {
    resolveAddresses(options.hostname.replace(/^\[|\]$/g, ''), guard).then(
      (addresses) =>
        connectToFirst({ connect, options, addresses }, (...end) =>
          end[0] ? callback(end[0], null) : callback(null, boundReads(end[1])),
        ),
      (error: unknown) => callback(error as Error, null),
    );
  };
}

async function resolveAddresses(host: string, { allowedNetworks, resolve }: Guard): Promise<string[]> {
  const family = isIP(host) === 6 ? 6 : 4;
  const resolved = isIP(host) ? [{ address: host, family } as const] : await resolve(host);
  return alternateFamilies(filterPermitted(resolved, allowedNetworks)).map(({ address }) => address);
}

/** In turns of IPv4 and IPv6: a machine may have no route for one of them. */
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
  throw privateAddressError(findAddressProblem(addresses[0]?.address ?? '', allowed) ?? 'unreadable');
}

function privateAddressError(range: string): PrivateAddressError {
  return new PrivateAddressError(`The address is not public (${range}).`);
}
