/** Headers by lower-case name. */
export type MailHeaders = Readonly<Partial<Record<(typeof AUTOMATIC_HEADERS)[number], string>>>;

/** Headers of mails that a program sent. */
export const AUTOMATIC_HEADERS = [
  'auto-submitted',
  'precedence',
  'x-auto-response-suppress',
  'x-autoreply',
  'x-autorespond',
  'x-loop',
  'list-id',
  'list-unsubscribe',
] as const;

const PRECEDENCES = ['bulk', 'junk', 'list', 'auto_reply'];
const ROBOTS = /^(?:mailer-daemon|postmaster|bounces?|no-?reply|do-?not-?reply)(?:[+=-].*)?@/i;

/** Returns whether a program sent the mail: no robot may reply to it (RFC 3834, spec 15.11). */
export function isAutomatic(
  headers: MailHeaders,
  { from, sender, own }: { from: string; sender: string; own: string },
): boolean {
  const { precedence = '', 'auto-submitted': submitted = 'no', ...marks } = headers;
  if (!/^\s*no\b/i.test(submitted) || PRECEDENCES.includes(precedence.trim().toLowerCase())) return true;
  return (
    Object.keys(marks).length > 0 || sender === '' || from === own || ROBOTS.test(from) || ROBOTS.test(sender)
  );
}
