import type { ConversationState } from '../conversations/conversation.ts';

/** Bound on each part, in characters: Temporal's summaries have at most 400 bytes. */
const MAX_PART = 32;

export interface TitleParts {
  /** Names, not ids. */
  organization?: string | undefined;
  contact?: string | undefined;
  name?: string | undefined;
  category?: string | undefined;
}

/**
 * Returns the title of a conversation (spec 11.2): `<organization> · <contact or conversation name>
 * · <category>`, without absent parts. May be empty.
 */
export function conversationTitle({ organization, contact, name, category }: TitleParts): string {
  return [organization, contact === undefined || contact === '' ? name : contact, category]
    .map((part) => escapeMarkdown(part ?? '', MAX_PART))
    .filter((part) => part !== '')
    .join(' · ');
}

/**
 * Returns the title of a deletion. It outlives the conversation, so it names no person (spec 11.3).
 */
export function erasureTitle(organization: string | undefined): string {
  const name = escapeMarkdown(organization ?? '', MAX_PART);
  return name === '' ? 'deletion of a conversation' : `${name} · deletion of a conversation`;
}
/** Characters with a meaning in Markdown or in table rows. */
const MARKUP = /[[\]<>`\\|*_~\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/**
 * Escapes a name for Markdown, so that it cannot load a picture, start a link or end a table row.
 * Truncates it to `max` characters, with `…` at the end.
 */
export function escapeMarkdown(name: string, max: number): string {
  const plain = Array.from(name.replace(MARKUP, ' ').replace(/\s+/g, ' ').trim());
  return plain.length <= max
    ? plain.join('')
    : `${plain
        .slice(0, max - 1)
        .join('')
        .trimEnd()}…`;
}

/** Bound on the ids whose names are shown. */
const MAX_NAMED = 50;

/**
 * Returns the ids in a conversation whose names operators see: its organization, contact,
 * participants and bots that wrote without participating.
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
