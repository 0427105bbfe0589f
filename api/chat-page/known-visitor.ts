import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Static } from 'typebox';
import Type from 'typebox';
import { lowerAscii } from '../../domain/email.ts';
import { MAX_NAME_CHARACTERS } from '../../domain/contact-profile.ts';
import { Email, text } from '../../application/schema/kinds.ts';
import { DomainError, invalidRequest } from '../../domain/errors.ts';
import { normalProfile, withoutBlanks } from '../../application/posting/contacts.ts';
import type { ContactProfile } from '../../store/conversations/contacts.ts';
import { organizationContext } from '../../store/records/organizations.ts';
import { findWidgetSecrets } from '../../store/records/widgets.ts';
import type { PendingChat } from './chat-target.ts';

export const startInput = Type.Object({
  email: Type.Optional(Email),
  telephone: Type.Optional(text({ max: 64 })),
  name: Type.Optional(text({ min: 0, max: MAX_NAME_CHARACTERS })),
  /** Hexadecimal HMAC-SHA256 of the email or telephone (spec 13.4). */
  signature: Type.Optional(text({ max: 128 })),
});

/**
 * Returns undefined for an anonymous visitor (spec 13.4). Throws DomainError `unauthenticated`
 * without a valid signature, `invalid_request` or `unprocessable` for an invalid identifier.
 */
export async function verifyVisitor(
  organization: string,
  { email, telephone, name, signature }: Static<typeof startInput>,
): Promise<PendingChat['known']> {
  const identifier = email ?? telephone;
  if (identifier === undefined) {
    if (signature !== undefined)
      throw invalidRequest('signature', 'needs the email or telephone that it signs');
    return undefined;
  }
  if (email !== undefined && telephone !== undefined) {
    throw invalidRequest('telephone', 'must not stand beside an email: one of them is signed');
  }
  const secrets = await findWidgetSecrets(organization);
  if (!secrets.some((secret) => isSignedBy(secret, identifier, signature))) {
    throw new DomainError('unauthenticated', 'The signature is not valid for this visitor.');
  }
  const { country } = (await organizationContext(organization)) ?? {};
  const given = withoutBlanks({
    ...(email === undefined ? { telephone: identifier } : { email }),
    ...(name === undefined ? {} : { name }),
  });
  const known = normalProfile(given, { country, path: 'visitor' });
  assertStoredForm(given, known);
  return known;
}

/** Ignores ASCII capitals. A signature over another form may belong to another person. */
function assertStoredForm(given: ContactProfile, known: ContactProfile): void {
  for (const field of ['email', 'telephone'] as const) {
    const form = known[field];
    if (form !== undefined && lowerAscii(given[field] ?? '') !== form) {
      throw invalidRequest(`visitor.${field}`, `must be signed and sent as it is stored: "${form}"`);
    }
  }
}

function isSignedBy(secret: string, text: string, signature = ''): boolean {
  const expected = Buffer.from(createHmac('sha256', secret).update(text).digest('hex'));
  const given = Buffer.from(signature.toLowerCase());
  return given.length === expected.length && timingSafeEqual(given, expected);
}
