import { escapeMarkdown } from './legible.ts';

/** The most characters of each part: Temporal takes summaries of 400 bytes. */
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
