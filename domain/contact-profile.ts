/** The most characters of an email, whoever's it is. */
export const MAX_EMAIL_CHARACTERS = 320;

/** The most characters of the name of somebody or something. */
export const MAX_NAME_CHARACTERS = 256;

/** The most characters of a language or locale. */
export const MAX_LANGUAGE_CHARACTERS = 64;

/**
 * The texts of a contact's profile and the most characters of each (spec 4.4), whether a profile is
 * written whole or a field message sets one of them.
 */
export const MAX_PROFILE_CHARACTERS = {
  name: MAX_NAME_CHARACTERS,
  givenName: MAX_NAME_CHARACTERS,
  familyName: MAX_NAME_CHARACTERS,
  email: MAX_EMAIL_CHARACTERS,
  telephone: 64,
  locale: MAX_LANGUAGE_CHARACTERS,
} as const;

/** An address grows message by message too, and a record has to stay storable. */
export const MAX_ADDRESS_FIELDS = 50;
/** Characters of the name of a field of the address, and of its value. */
export const MAX_ADDRESS_KEY = 64;
export const MAX_ADDRESS_VALUE = 1000;
