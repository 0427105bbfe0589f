import { deliveryRows, isSendable } from '../domain/delivery/delivery.ts';
import type { DeliveryRow } from '../domain/delivery/delivery.ts';
import type { EventRecord } from '../domain/events/event-record.ts';
import type { Subscription } from '../domain/events/subscriptions.ts';
import { insertDeliveries, insertInTurn } from '../store/delivery/deliveries.ts';
import type { Subscriber } from '../deliveries/notifications.ts';

/** Rows of one slice, and characters of their bodies, from which on the slice is written. */
const SLICE = { rows: 500, characters: 1024 * 1024 };

/** The deliveries of a commit's events. */
export interface OutgoingEvents {
  /** In order of their numbers; `after` is the number of the event before them. */
  events: readonly EventRecord[];
  after: number;
  services: readonly Subscription[];
  /** Ids from the root to the organization of the events. */
  line: readonly string[];
  shards: number;
}

/**
 * Stores the deliveries of events, and notifies the drain of this process. Many are stored in
 * slices, each when the tenant's turn comes, so that neither the process nor the store is held up
 * by one commit. A delivery is stored only after all deliveries before it. Repeatable.
 */
export async function writeDeliveries(
  { events, after, services, line, shards }: OutgoingEvents,
  notify: Subscriber,
): Promise<void> {
  let before = after;
  let isOnly = true;
  const tenant = line[1] ?? line[0] ?? '';
  for (const { rows, through, isLast } of splitIntoSlices(events, (event) =>
    deliveryRows({ events: [event], services, line, shards }),
  )) {
    isOnly &&= isLast;
    // A commit of one slice does not wait for a turn.
    const fresh = await (isOnly ? insertDeliveries(rows) : insertInTurn(rows, tenant));
    notify(rows.filter(isSendable), fresh ? { after: before, through, rows: fresh } : undefined);
    before = through;
  }
}

interface Slice {
  rows: DeliveryRow[];
  /** Number of its last event. */
  through: number;
  isLast: boolean;
}

/**
 * Yields the rows of events in slices of at least `SLICE`, cut between events. The bodies of a
 * slice are built when the generator reaches it. Events without rows belong to the slice beside
 * them.
 */
export function* splitIntoSlices(
  events: readonly EventRecord[],
  buildRows: (event: EventRecord) => DeliveryRow[],
  size = SLICE,
): Generator<Slice> {
  let rows: DeliveryRow[] = [];
  let characters = 0;
  for (const [at, event] of events.entries()) {
    const made = buildRows(event);
    rows.push(...made);
    characters += made[0]?.body.length ?? 0;
    const isLast = at === events.length - 1;
    if (rows.length === 0 || (!isLast && rows.length < size.rows && characters < size.characters)) continue;
    yield { rows, through: event.sequence, isLast };
    [rows, characters] = [[], 0];
  }
}
