/**
 * Returns whether an event matches a pattern (spec 7.4). `*` matches one word, a shorter pattern is
 * a prefix, and a fifth word is the role of a message.
 */
export function matchesPattern(pattern: string, event: string, role = ''): boolean {
  const words = event.startsWith('message.') ? [...event.split('.'), role] : event.split('.');
  const wanted = pattern.split('.');
  return wanted.length <= words.length && wanted.every((word, at) => word === '*' || word === words[at]);
}
