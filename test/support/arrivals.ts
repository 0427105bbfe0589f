import type { Received, Receiver } from './receiver.ts';

/** An event that a receiver got, with its parsed body. */
export interface Arrival extends Received {
  json: any;
}

const read = new WeakMap<Received, Arrival>();

/**
 * Returns all events that a receiver got so far in order of arrival, including repeated deliveries.
 */
export function arrivals({ received }: Receiver): Arrival[] {
  return received.filter(({ method }) => method === 'POST').map(arrival);
}

/** Returns the events that a receiver got so far in order of arrival, each event once. */
export function firstArrivals(receiver: Receiver): Arrival[] {
  const seen = new Set<string>();
  return arrivals(receiver).filter(({ json }) => !seen.has(json.id) && seen.add(json.id));
}

function arrival(received: Received): Arrival {
  const known = read.get(received) ?? { ...received, json: JSON.parse(received.body) };
  read.set(received, known);
  return known;
}
