/**
 * The id of the `number`-th event of a change, counted from 1 (spec 7.6). Made again from the same
 * change it is the same, so that an event which is stored twice is one.
 */
export function eventId(change: string, number = 1): string {
  return `${change}-${number}`;
}
