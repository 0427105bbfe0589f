import type { SecretOrigin } from '../delivery/signing-secret.ts';

/** How posts to an ingest address may be signed (spec 8.9); the first where none is named. */
export const SIGNATURE_KINDS = ['standard-webhooks', 'github', 'stripe', 'shopify', 'slack'] as const;

export type SignatureKind = (typeof SIGNATURE_KINDS)[number];

/** Who chooses the secret of such posts: only Standard Webhooks leaves that to the caller. */
export function secretOrigin(kind: SignatureKind): SecretOrigin {
  return kind === 'standard-webhooks' ? 'ours' : 'foreign';
}
