import { startReceiver } from '../support/receiver.ts';
import type { Behaviour, Received } from '../support/receiver.ts';
import type { Journal } from './journal.ts';

export interface Told {
  id: string;
  sequence: number;
  text: string;
}

/** A webhook receiver that checks events on arrival and records the order of first arrivals. */
export interface Witness {
  name: string;
  url: string;
  /** Sets the response to further requests. These requests are still recorded. */
  behave: (behaviour: Behaviour) => void;
  /** Returns the messages of a conversation in order of their first arrival. */
  toldOf: (conversation: string) => readonly Told[];
  /** Drops the data of a conversation after its last check. */
  forget: (conversation: string) => void;
  close: () => Promise<void>;
}

interface Lane {
  /** The highest sequence of an event that has arrived. */
  last: number;
  /** Event ids by sequence. No two events have the same sequence. */
  events: Map<number, string>;
  messages: Map<string, Told>;
  forgotten: boolean;
}

export async function startWitness(name: string, journal: Journal, behaviour: Behaviour): Promise<Witness> {
  const receiver = await startReceiver();
  const lanes = new Map<string, Lane>();
  let act = behaviour;
  receiver.behave((response, request) => {
    // The receiver keeps every request, which would fill the memory in a long run.
    receiver.received.length = 0;
    if (request.method === 'POST') note(request);
    act(response, request);
  });

  function note({ body }: Received): void {
    const event = JSON.parse(body);
    const place = event.data.message?.conversation ?? event.data.conversation?.id ?? event.organization;
    const lane = lanes.get(place) ?? { last: 0, events: new Map(), messages: new Map(), forgotten: false };
    lanes.set(place, lane);
    journal.count(`arrivals at ${name}`);
    noteEvent(lane, event);
    if (event.event.startsWith('message.create.')) noteMessage(lane, event.data.message);
  }

  function noteEvent(lane: Lane, { id, sequence, event, data }: any): void {
    const known = lane.events.get(sequence);
    const facts = { witness: name, id, sequence, event, conversation: data.conversation?.id };
    if (known !== undefined && known !== id) journal.violated('an event has one number', { ...facts, known });
    if (known !== undefined || lane.forgotten) {
      journal.count(`repeated arrivals at ${name}`);
      return;
    }
    if (sequence < lane.last) journal.violated('first arrivals are in order', { ...facts, last: lane.last });
    lane.last = Math.max(lane.last, sequence);
    lane.events.set(sequence, id);
  }

  function noteMessage({ messages }: Lane, { id, sequence, text }: Told): void {
    const known = messages.get(id);
    if (!known) return void messages.set(id, { id, sequence, text });
    if (known.sequence !== sequence || known.text !== text)
      journal.violated('a message is told with one number and text', {
        witness: name,
        known,
        id,
        sequence,
        text,
      });
  }

  return {
    name,
    url: receiver.url,
    behave: (next) => (act = next),
    toldOf: (conversation) => [...(lanes.get(conversation)?.messages.values() ?? [])],
    forget(conversation) {
      lanes.set(conversation, { last: 0, events: new Map(), messages: new Map(), forgotten: true });
    },
    close: () => receiver.close(),
  };
}
