/** How posts to an ingest address may be signed (spec 8.9); the first where none is named. */
export const SIGNATURE_KINDS = ['standard-webhooks', 'github', 'stripe', 'shopify'] as const;

export type SignatureKind = (typeof SIGNATURE_KINDS)[number];
