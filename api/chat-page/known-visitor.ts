import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Static } from 'typebox';
import Type from 'typebox';
import { Email, Name, text } from '../../schema/kinds.ts';
import { DomainError } from '../../domain/errors.ts';
import { invalidRequest } from '../../domain/refusal.ts';
import { normalProfile } from '../../posting/profile.ts';
import { organizationContext } from '../../store/records/organizations.ts';
import { findWidgetSecrets } from '../../store/records/widgets.ts';
import type { StartedChat } from './started-chat.ts';

/** Who the visitor is, if the website says so. */
export const startInput = Type.Object({
  email: Type.Optional(Email),
  telephone: Type.Optional(text({ max: 64 })),
  name: Type.Optional(Name),
  /** HMAC-SHA256 of the email or the telephone, in hexadecimal digits (spec 13.4). */
  signature: Type.Optional(text({ max: 128 })),
});

/**
 * The visitor whom the website names, by an email or a telephone in the form it is stored in;
 * undefined where it names none (spec 13.4). Throws DomainError `unauthenticated` without a valid
 * signature, `invalid_request` or `unprocessable` for what can be neither.
 */
export async function knownVisitor(
  organization: string,
  { email, telephone, name, signature }: Static<typeof startInput>,
): Promise<StartedChat['known']> {
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
  const given = {
    ...(email === undefined ? { telephone: identifier } : { email }),
    ...(name ? { name } : {}),
  };
  return normalProfile(given, { country, path: 'visitor' });
}

function isSignedBy(secret: string, text: string, signature = ''): boolean {
  const expected = Buffer.from(createHmac('sha256', secret).update(text).digest('hex'));
  const given = Buffer.from(signature.toLowerCase());
  return given.length === expected.length && timingSafeEqual(given, expected);
}
