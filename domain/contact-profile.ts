export const MAX_EMAIL_CHARACTERS = 320;

export const MAX_NAME_CHARACTERS = 256;

export const MAX_LANGUAGE_CHARACTERS = 64;

/** Maximum characters of a contact's texts (spec 4.4). */
export const MAX_PROFILE_CHARACTERS = {
  name: MAX_NAME_CHARACTERS,
  givenName: MAX_NAME_CHARACTERS,
  familyName: MAX_NAME_CHARACTERS,
  email: MAX_EMAIL_CHARACTERS,
  telephone: 64,
  locale: MAX_LANGUAGE_CHARACTERS,
} as const;

/** Bounded, because field messages add address fields one by one. */
export const MAX_ADDRESS_FIELDS = 50;
export const MAX_ADDRESS_KEY = 64;
export const MAX_ADDRESS_VALUE = 1000;
