import type { Received, Receiver } from './receiver.ts';

/** One event that arrived, its body read. */
export interface Arrival extends Received {
  json: any;
}

const read = new WeakMap<Received, Arrival>();

/** The events that a receiver got so far, in order of arrival, repeated ones too. */
export function arrivals({ received }: Receiver): Arrival[] {
  return received.filter(({ method }) => method === 'POST').map(arrival);
}

/** The same without repetitions: each event where it came first. */
export function firstArrivals(receiver: Receiver): Arrival[] {
  const seen = new Set<string>();
  return arrivals(receiver).filter(({ json }) => !seen.has(json.id) && seen.add(json.id));
}

function arrival(received: Received): Arrival {
  const known = read.get(received) ?? { ...received, json: JSON.parse(received.body) };
  read.set(received, known);
  return known;
}
