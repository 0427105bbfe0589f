import { createPublicKey, generateKeyPair } from 'node:crypto';
import { domainOf } from '../../domain/channels/email/proof.ts';
import type { ServiceDocument } from '../../store/delivery/services.ts';
import { unsealSecret } from './secrets.ts';

/** Name of the private key among the sealed secrets of a channel. */
export const DKIM_KEY = 'dkimKey';
/** Longer keys do not fit into the DNS records of some providers (RFC 8301 demands 1,024). */
const RSA_BITS = 2_048;

interface Dkim {
  sealed: Record<string, string>;
  dkimRecord?: NonNullable<ServiceDocument['dkimRecord']>;
}

/** Returns the key that signs the mails of a channel, and the DNS record of its public key. */
export async function buildDkim(
  { dkimSelector: selector, address = '' }: ServiceDocument['params'],
  found: Pick<ServiceDocument, 'params' | 'sealed'> | undefined,
  { encrypt, decrypt }: { encrypt: (text: string) => string; decrypt: (text: string) => string | null },
): Promise<Dkim> {
  if (selector === undefined) return { sealed: {} };
  const isKept = found?.params.dkimSelector === selector;
  const key = (isKept ? unsealSecret(found, DKIM_KEY, decrypt) : undefined) ?? (await createKey());
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64');
  return {
    sealed: { [DKIM_KEY]: encrypt(key) },
    dkimRecord: {
      name: `${selector}._domainkey.${domainOf(address)}`,
      value: `v=DKIM1; k=rsa; p=${publicKey}`,
    },
  };
}

function createKey(): Promise<string> {
  const options = {
    modulusLength: RSA_BITS,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  } as const;
  return new Promise((resolve, reject) => {
    generateKeyPair('rsa', options, (error, _, privateKey) => (error ? reject(error) : resolve(privateKey)));
  });
}
