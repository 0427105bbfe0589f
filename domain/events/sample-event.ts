import type { EventRecord } from './event-record.ts';
import { conversationLinks, conversationUrl, messageUrl } from './view.ts';

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
export function sampleEvent(facts: SampleFacts): EventRecord {
  const { id, record, organization, now, publicUrl, links } = facts;
  return {
    id,
    name: 'message.create.contact.chat',
    role: 'contact',
    timestamp: now,
    organization,
    conversation: record,
    sequence: 1,
    actor: { id: record, kind: 'contact' },
    publicUrl,
    data: () => ({
      message: sampleMessage(facts),
      conversation: sampleConversation(facts),
      links: conversationLinks(SLUG, { publicUrl, links }),
    }),
  };
}

function sampleConversation(facts: SampleFacts) {
  return {
    ...sharedFields(facts),
    type: 'contact',
    status: 'queued',
    name: 'A sample',
    url: conversationUrl(facts.publicUrl, SLUG),
    participants: [],
    touchpoints: {},
    channels: [],
    channelsOffline: [],
    forms: [],
    results: [],
    lastMessageAt: facts.now,
  };
}

function sampleMessage(facts: SampleFacts) {
  return {
    ...sharedFields(facts),
    conversation: facts.record,
    text: 'This is a sample.',
    url: messageUrl(facts.publicUrl, { conversation: SLUG, message: SLUG }),
    type: 'chat',
    role: 'contact',
    isBackchannel: false,
    contentType: 'text/plain',
    touchpoint: 'web',
    serviceType: 'api',
    user: facts.user,
    sequence: 1,
    processedAt: facts.now,
  };
}

function sharedFields({ record, organization, user, now }: SampleFacts) {
  return {
    id: record,
    slug: SLUG,
    organization,
    contact: record,
    meta: { sample: true },
    createdBy: user,
    createdAt: now,
    updatedAt: now,
  };
}
