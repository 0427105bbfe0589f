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

const texts = new WeakMap<Receiver, { read: number; texts: Set<string> }>();

/**
 * Returns whether a receiver got a message with this text. Reads each request once, because load
 * tests call this thousands of times a second.
 */
export function hasArrived(receiver: Receiver, text: string): boolean {
  const known = texts.get(receiver) ?? { read: 0, texts: new Set<string>() };
  texts.set(receiver, known);
  for (const request of receiver.received.slice(known.read)) {
    if (request.method === 'POST') known.texts.add(arrival(request).json.data?.message?.text);
  }
  known.read = receiver.received.length;
  return known.texts.has(text);
}

function arrival(received: Received): Arrival {
  const known = read.get(received) ?? { ...received, json: JSON.parse(received.body) };
  read.set(received, known);
  return known;
}
