import type { EventRecord } from './event-record.ts';
import { conversationLinks } from '../conversations/links.ts';
import { conversationUrl, messageUrl } from './view.ts';

/** What tells a sample from other events. */
export interface SampleFacts {
  /** The event's id. */
  id: string;
  /** 24 hex digits, that no record has. */
  record: string;
  organization: string;
  /** Who asked for it. */
  user: string;
  /** ISO 8601 UTC. */
  now: string;
  publicUrl: string;
  links: Record<string, string>;
}

const SLUG = 'sample-of-a-slug';

/**
 * An event as services hear them, about a message that there is not; its conversation says so in
 * `meta.sample` (spec 7.11).
 */
export function sampleEvent({
  id,
  record,
  organization,
  user,
  now,
  publicUrl,
  links,
}: SampleFacts): EventRecord {
  const times = { createdBy: user, createdAt: now, updatedAt: now };
  const place = { organization, contact: record };
  const conversation = {
    ...{ id: record, slug: SLUG, ...place, type: 'contact', status: 'queued', name: 'A sample' },
    ...{ url: conversationUrl(publicUrl, SLUG), meta: { sample: true }, participants: [], touchpoints: {} },
    ...{ channels: [], channelsOffline: [], forms: [], results: [], ...times },
  };
  const message = {
    ...{ id: record, slug: SLUG, ...place, conversation: record, text: 'This is a sample.' },
    ...{ url: messageUrl(publicUrl, { conversation: SLUG, message: SLUG }), type: 'chat', role: 'contact' },
    ...{ isBackchannel: false, contentType: 'text/plain', touchpoint: 'web', user, meta: { sample: true } },
    ...{ sequence: 1, processedAt: now, ...times },
  };
  return {
    ...{ id, name: 'message.create.contact.chat', role: 'contact', timestamp: now, organization },
    ...{ conversation: record, sequence: 1, actor: { id: record, kind: 'contact' as const }, publicUrl },
    data: () => ({ message, conversation, links: conversationLinks(SLUG, { publicUrl, links }) }),
  };
}
