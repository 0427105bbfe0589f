import { randomKey } from '@parlance/client';
import { hasVisibleText } from '../../components/shown-text.ts';

/** A reply or a note that is not sent yet. */
export interface Draft {
  text: string;
  /** Labels of buttons, such as `Yes, No`. */
  replies: string;
  carrier?: string | undefined;
  mentioned: Readonly<Record<string, string>>;
  /** The last attempt. The same body is sent again under the same key, and posted once. */
  tried?: { key: string; body: string } | undefined;
}

export const EMPTY_DRAFT: Draft = { text: '', replies: '', mentioned: {} };

export function parseDraft(stored: string): Draft {
  try {
    const { text, replies, carrier, mentioned, tried } = { ...EMPTY_DRAFT, ...JSON.parse(stored) } as Draft;
    return { text, replies, carrier, mentioned, tried };
  } catch {
    return EMPTY_DRAFT;
  }
}

/** An empty draft is an empty text, which removes the stored draft. */
export function formatDraft(draft: Draft): string {
  return isEmpty(draft) && draft.carrier === undefined ? '' : JSON.stringify(draft);
}

/** Returns the key of the attempt, which changes with what is sent. */
export function identifyAttempt(messages: readonly object[], tried: Draft['tried']) {
  const body = JSON.stringify(messages);
  return tried?.body === body ? tried : { key: randomKey(), body };
}

/** Puts a draft that was not sent before the draft that was written meanwhile. */
export function joinDrafts(unsent: Draft, now: Draft): Draft {
  if (isEmpty(now)) return { ...unsent, carrier: now.carrier };
  return {
    text: [unsent.text, now.text].filter((text) => text !== '').join('\n'),
    replies: [unsent.replies, now.replies].filter((labels) => labels !== '').join(', '),
    carrier: now.carrier,
    mentioned: { ...unsent.mentioned, ...now.mentioned },
  };
}

function isEmpty({ text, replies }: Draft): boolean {
  return text === '' && !hasVisibleText(replies);
}
