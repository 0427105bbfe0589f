import { DomainError } from '../../domain/errors.ts';
import type { Api, OpenRequest } from '../request.ts';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/;

type Config = Pick<Api['config'], 'echoBot' | 'host' | 'publicUrl' | 'trustedProxies'>;

/**
 * Whether the start page offers a conversation with the echo bot (spec 12.4): where the launcher
 * asked for it, and only this machine can connect. A process that listens on loopback hears nobody
 * else; a proxy before it would, and is told by the address that people use.
 */
export function offersEchoBot({ echoBot, host, publicUrl, trustedProxies }: Config): boolean {
  const isAlone = LOOPBACK.test(host) && LOOPBACK.test(new URL(publicUrl).hostname);
  return echoBot && isAlone && trustedProxies === 0;
}

/**
 * Throws DomainError `forbidden` unless the page that asks is one of ours: another website, or
 * another program on this machine, may send a form as well. `Host` differs where a tunnel or a
 * rebound name leads here.
 */
export function refuseForeignPage({ client }: Pick<OpenRequest, 'client'>, port: number): void {
  const isOurs = [client.origin, `http://${client.host}`].every((address) => isLocal(address, port));
  if (!isOurs) throw new DomainError('forbidden', 'Only the start page asks for this.');
}

function isLocal(address: string, port: number): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  return LOOPBACK.test(url.hostname) && url.port === String(port === 80 ? '' : port);
}
