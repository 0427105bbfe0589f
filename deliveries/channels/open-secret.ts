import { unsealSecret } from '../../application/channels/secrets.ts';
import type { Encryption } from '../../application/posting/encryption.ts';
import { replaceSealed } from '../../store/delivery/channels.ts';
import { findReceiver } from '../../store/delivery/service-health.ts';
import type { ServiceDocument } from '../../store/delivery/services.ts';
import type { StoredSecret } from './contract.ts';

/** Reads a further secret of a channel in the store: the service may be some seconds old. */
export async function openSecret(
  { decrypt, encrypt }: Pick<Encryption, 'decrypt' | 'encrypt'>,
  service: ServiceDocument,
  name: string,
): Promise<StoredSecret> {
  const current = (await findReceiver(service._id)) ?? service;
  return {
    value: unsealSecret(current, name, decrypt),
    replace: (next) => replaceSealed(current, name, encrypt(next)),
  };
}
