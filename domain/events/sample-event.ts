import { newConversation } from '../conversations/conversation.ts';
import type { MessageDraft } from '../messages/message.ts';
import type { EventRecord } from './event-record.ts';
import { conversationLinks, conversationView, messageView } from './view.ts';

export interface SampleFacts {
  id: string;
  /** An id that no record has. */
  record: string;
  organization: string;
  user: string;
  now: string;
  publicUrl: string;
  links: Record<string, string>;
}

/** Returns an event whose conversation has `meta.sample` (spec 7.11). */
export function sampleEvent(facts: SampleFacts): EventRecord {
  const { id, record, organization, user, now, publicUrl, links } = facts;
  const shared = { id: record, slug: 'sample-of-a-slug', createdBy: user, createdAt: now };
  const meta = { sample: true };
  const conversation = newConversation({
    ...shared,
    organization,
    contact: record,
    type: 'contact',
    name: 'A sample',
    meta,
  });
  const message: MessageDraft = {
    ...shared,
    text: 'This is a sample.',
    type: 'chat',
    role: 'contact',
    isBackchannel: false,
    contentType: 'text/plain',
    touchpoint: 'web',
    serviceType: 'api',
    user,
    meta,
  };
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
      message: messageView({ ...message, sequence: 1, processedAt: now }, conversation, publicUrl),
      conversation: conversationView(conversation, { publicUrl, results: [] }),
      links: conversationLinks(conversation.slug, { publicUrl, links }),
    }),
  };
}
