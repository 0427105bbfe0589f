const OUT = [
  ...['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT'],
  ...['AFMELDEN', 'ABMELDEN', 'ARRET', 'BAJA', 'ALTO'],
];
const IN = ['START', 'UNSTOP', 'YES'];

/** Returns undefined unless the message is one word that opts out or in again. */
export function readOptOut(text: string): boolean | undefined {
  const word = text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/^[\s"'.!]+|[\s"'.!]+$/g, '')
    .toUpperCase();
  if (OUT.includes(word)) return true;
  return IN.includes(word) ? false : undefined;
}
