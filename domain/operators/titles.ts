import type { ConversationState } from '../conversations/conversation.ts'; /** The most characters of each part: Temporal takes summaries of 400 bytes. */
const MAX_PART = 32;

/** What a conversation is called by. */
export interface TitleParts {
  /** Names, not ids. */
  organization?: string | undefined;
  contact?: string | undefined;
  name?: string | undefined;
  category?: string | undefined;
}

/**
 * One line by which a person knows a conversation (spec 11.2): `<organization> · <contact or
 * conversation name> · <category>`, without what is not there. Empty where nothing is.
 */
export function conversationTitle({ organization, contact, name, category }: TitleParts): string {
  return [organization, contact === undefined || contact === '' ? name : contact, category]
    .map((part) => escapeMarkdown(part ?? '', MAX_PART))
    .filter((part) => part !== '')
    .join(' · ');
}

/**
 * The same of a deletion. It outlives the conversation, so nobody is named in it (spec 11.3).
 */
export function erasureTitle(organization: string | undefined): string {
  const name = escapeMarkdown(organization ?? '', MAX_PART);
  return name === '' ? 'deletion of a conversation' : `${name} · deletion of a conversation`;
}
/** What Markdown, the language of Temporal's pages, or a table's row would take for itself. */
const MARKUP = /[[\]<>`\\|*_~\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/**
 * A name that people gave, as text among the marks of a page: it can neither load a picture, begin
 * a link nor end a row there. At most so many characters; what is cut ends in `…`.
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

/** Of so many ids the names are shown. */
const MAX_NAMED = 50;

/**
 * The ids in a conversation whose names operators are shown: of its organization, its contact, its
 * participants, and of bots that wrote without taking part.
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
