import type { ConversationState } from '../conversations/conversation.ts';

/** Temporal's summaries have at most 400 bytes. */
const MAX_PART = 32;

export interface TitleParts {
  organization?: string | undefined;
  contact?: string | undefined;
  name?: string | undefined;
  category?: string | undefined;
}

/**
 * Returns `<organization> · <contact or conversation name> · <category>`, without absent parts
 * (spec 11.2).
 */
export function conversationTitle({ organization, contact, name, category }: TitleParts): string {
  return [organization, contact === undefined || contact === '' ? name : contact, category]
    .map((part) => escapeMarkdown(part ?? '', MAX_PART))
    .filter((part) => part !== '')
    .join(' · ');
}

/** Returns a title without personal names: the deletion outlives the conversation (spec 11.3). */
export function erasureTitle(organization: string | undefined): string {
  const name = escapeMarkdown(organization ?? '', MAX_PART);
  return name === '' ? 'deletion of a conversation' : `${name} · deletion of a conversation`;
}
const MARKUP = /[[\]<>`\\|*_~\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** Prevents pictures, links and new table rows. Truncates to `max` characters with `…`. */
export function escapeMarkdown(name: string, max: number): string {
  const plain = Array.from(name.replace(MARKUP, ' ').replace(/\s+/g, ' ').trim());
  return plain.length <= max
    ? plain.join('')
    : `${plain
        .slice(0, max - 1)
        .join('')
        .trimEnd()}…`;
}

const MAX_NAMED = 50;

/**
 * Returns the ids whose names operators see: organization, contact, participants, and bots with
 * loop counters, even if they do not participate. At most 50.
 */
export function labelIds({
  organization,
  contact,
  participants,
  loops,
}: Pick<ConversationState, 'organization' | 'contact' | 'participants' | 'loops'>): string[] {
  const users = [...participants.map(({ user }) => user), ...Object.keys(loops)];
  const ids = new Set([organization, ...(contact === undefined ? [] : [contact]), ...users]);
  return [...ids].slice(0, MAX_NAMED);
}
