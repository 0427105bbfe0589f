/** Where `npm start` keeps the generated password of the first admin, whose email this is. */
export interface FirstPassword {
  email: string;
  file: string;
}

/** Data that the server puts into the page, before a user has signed in. */
const data = document.getElementById('console')?.dataset ?? {};

/** The address of the product's logo. */
export const LOGO = data['logo'] ?? '';

/** Present on the machine itself, as long as that password has not been changed (spec 12.5). */
export const FIRST_PASSWORD =
  data['first'] === undefined ? undefined : (JSON.parse(data['first']) as FirstPassword);
