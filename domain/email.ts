/** An email as it is stored and compared, over all letters' cases (contract 2). */
export function normalEmail(email: string): string {
  return email.trim().toLowerCase();
}
