import { toActivityStream } from './activity-stream.ts';
import type { ActivityStream } from './activity-stream.ts';
import type { EventData, EventRecord } from './event-record.ts';

/** The body of a webhook (spec 7.6). */
export interface Envelope {
  id: string;
  event: string;
  timestamp: string;
  organization: string;
  sequence: number;
  activity: ActivityStream;
  data: EventData;
}

/** What a service that hears an event is sent, with the resources as they were when it happened. */
export function envelope(event: EventRecord): Envelope {
  const data = event.data();
  return {
    id: event.id,
    event: event.name,
    timestamp: event.timestamp,
    organization: event.organization,
    sequence: event.sequence,
    activity: toActivityStream(event, data),
    data,
  };
}
