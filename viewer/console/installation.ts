/** Where `npm start` keeps the generated password of the first admin, whose email this is. */
export interface FirstPassword {
  email: string;
  file: string;
}

/** What the server says on the page itself, before anybody has signed in. */
const said = document.getElementById('console')?.dataset ?? {};

/** The address of the product's logo. */
export const LOGO = said['logo'] ?? '';

/** Only on the machine itself, and as long as that password has not been changed (spec 12.5). */
export const FIRST_PASSWORD =
  said['first'] === undefined ? undefined : (JSON.parse(said['first']) as FirstPassword);
