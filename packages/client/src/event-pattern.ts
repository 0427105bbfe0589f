/**
 * Whether a pattern of events (spec 7.4) matches: word by word, `*` is one word, a shorter pattern
 * is a prefix, a fifth word is the role of a message.
 */
export function matchesPattern(pattern: string, event: string, role = ''): boolean {
  const words = event.startsWith('message.') ? [...event.split('.'), role] : event.split('.');
  const wanted = pattern.split('.');
  return wanted.length <= words.length && wanted.every((word, at) => word === '*' || word === words[at]);
}
