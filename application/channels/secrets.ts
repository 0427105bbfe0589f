import type { FormerSecret } from '../../domain/delivery/signing-secret.ts';
import type { ServiceDocument } from '../../store/delivery/services.ts';

type SealedService = Pick<ServiceDocument, 'secrets' | 'sealed' | 'formerSecrets'>;
type Secrets = { params: { secret?: string }; formerSecrets: FormerSecret[] };

/**
 * Returns the secret of a channel and the secrets that it replaced. Leaves out secrets of another
 * AUTH_SECRET.
 */
export function unsealSecrets(
  { secrets: [name = ''] = [], sealed = {}, formerSecrets = [] }: SealedService,
  decrypt: (text: string) => string | null,
): Secrets {
  const text = sealed[name];
  const secret = text === undefined ? null : decrypt(text);
  return {
    params: secret === null ? {} : { secret },
    formerSecrets: formerSecrets.flatMap((former) => {
      const plain = decrypt(former.secret);
      return plain === null ? [] : [{ ...former, secret: plain }];
    }),
  };
}

/** Returns undefined for an absent secret, and for a secret of another AUTH_SECRET. */
export function unsealSecret(
  { sealed = {} }: Pick<SealedService, 'sealed'>,
  name: string,
  decrypt: (text: string) => string | null,
): string | undefined {
  const text = sealed[name];
  return text === undefined ? undefined : (decrypt(text) ?? undefined);
}

/** Returns the current secret first. */
export function listSecrets(
  service: SealedService,
  { decrypt, now }: { decrypt: (text: string) => string | null; now: Date },
): string[] {
  const { params, formerSecrets } = unsealSecrets(service, decrypt);
  if (params.secret === undefined) return [];
  return [params.secret, ...formerSecrets.filter(({ until }) => until > now).map(({ secret }) => secret)];
}
