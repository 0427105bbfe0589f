import type { EventRecord } from './event-record.ts';
import { conversationLinks, conversationUrl, messageUrl } from './view.ts';

export interface SampleFacts {
  id: string;
  /** 24 hexadecimal digits that are the id of no record. */
  record: string;
  organization: string;
  user: string;
  now: string;
  publicUrl: string;
  links: Record<string, string>;
}

const SLUG = 'sample-of-a-slug';

/** Returns a sample whose conversation has `meta.sample` (spec 7.11). */
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
