export const MAX_EMAIL_CHARACTERS = 320;

export const MAX_NAME_CHARACTERS = 256;

export const MAX_LANGUAGE_CHARACTERS = 64;

/**
 * Bounds on the texts of a contact's profile in characters (spec 4.4), for a whole profile and for
 * field messages.
 */
export const MAX_PROFILE_CHARACTERS = {
  name: MAX_NAME_CHARACTERS,
  givenName: MAX_NAME_CHARACTERS,
  familyName: MAX_NAME_CHARACTERS,
  email: MAX_EMAIL_CHARACTERS,
  telephone: 64,
  locale: MAX_LANGUAGE_CHARACTERS,
} as const;

/** Field messages add address fields one by one, so bound their number. */
export const MAX_ADDRESS_FIELDS = 50;
/** Bounds on the name and the value of an address field, in characters. */
export const MAX_ADDRESS_KEY = 64;
export const MAX_ADDRESS_VALUE = 1000;
