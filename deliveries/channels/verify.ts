import type { Encryption } from '../../application/posting/encryption.ts';
import { definedFields } from '../../domain/record-fields.ts';
import { unsealSecret, unsealSecrets } from '../../application/channels/secrets.ts';
import { noteVerification } from '../../store/delivery/service-health.ts';
import type { AddressedService, ServiceDocument } from '../../store/delivery/services.ts';
import type { WebhookClient } from '../http/client.ts';
import type { ChannelAccount, ProviderClient } from './contract.ts';
import { findProvider } from './providers.ts';

export interface VerifyDeps {
  webhooks: ProviderClient & Pick<WebhookClient, 'verifyWebhook'>;
  publicUrl: string;
  secrets: Encryption;
}

/** Verifies an address or connects a channel. Stores the result. Returns the current service. */
export async function verifyService(
  service: ServiceDocument & AddressedService,
  deps: VerifyDeps,
): Promise<ServiceDocument | null> {
  const provider = findProvider(service.type);
  if (!provider) {
    const verification = await deps.webhooks.verifyWebhook(service.params.url);
    return noteVerification(service, verification.verified ? null : verification.reason);
  }
  const account = openAccount(service, deps.secrets.decrypt);
  if (!account) return noteVerification(service, UNREADABLE);
  const connected = await provider.connect(deps, account, { isDry: false });
  if ('problem' in connected) {
    const field = connected.path?.replace('params.', '');
    return noteVerification(service, `${field === undefined ? '' : `${field}: `}${connected.problem}.`);
  }
  const { name: verifiedAs, takesMedia, before, refreshToken } = connected;
  const seal = (text: string | undefined) => (text === undefined ? undefined : deps.secrets.encrypt(text));
  return noteVerification(service, null, {
    verifiedAs,
    takesMedia,
    ...definedFields({ 'sealed.before': seal(before), 'sealed.refreshToken': seal(refreshToken) }),
  });
}

export async function disconnectChannel(
  service: ServiceDocument,
  deps: Omit<VerifyDeps, 'webhooks'> & { webhooks: ProviderClient },
): Promise<void> {
  const account = openAccount(service, deps.secrets.decrypt);
  if (account) await findProvider(service.type)?.posts?.disconnect(deps, account);
}

export const UNREADABLE = 'The secrets of the service cannot be read: enter them again.';

function openAccount(service: ServiceDocument, decrypt: Encryption['decrypt']): ChannelAccount | null {
  const { _id: id, params } = service;
  const { secret } = unsealSecrets(service, decrypt).params;
  if (secret === undefined) return null;
  const read = (name: string) => unsealSecret(service, name, decrypt);
  return { id, params, secret, before: read('before'), refreshToken: read('refreshToken') };
}
