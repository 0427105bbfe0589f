import { useEffect, useReducer } from 'preact/hooks';
import { hasVisibleText } from '../../components/shown-text.ts';
import { loadDraft, saveDraft } from '../storage.ts';

/** A reply or a note that is not sent yet. */
export interface Draft {
  text: string;
  /** Labels of buttons, such as `Yes, No`. */
  replies: string;
  /** Id of a channel, or `web`. Without it the reply goes by the default. */
  carrier?: string | undefined;
  /** Names of mentioned colleagues by id. */
  mentioned: Readonly<Record<string, string>>;
  /** The last attempt. The same body is sent again under the same key, and posted once. */
  tried?: { key: string; body: string } | undefined;
}

export const EMPTY_DRAFT: Draft = { text: '', replies: '', mentioned: {} };

/** Returns the draft of a stored text, or an empty draft. */
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

interface Written {
  now: Draft;
  /** The draft that is being sent. It is not in the field any more. */
  sending?: Draft | undefined;
}

/** Outlives the view, so that the agent may leave a conversation while a reply is being sent. */
const drafts = new Map<string, Written>();
const CHANGED = 'parlance:draft';

/** Returns the draft of this name. A reload keeps it, and another tab begins with it. */
export function useDraft(name: string) {
  const [, render] = useReducer((turn: number) => turn + 1, 0);
  useEffect(() => {
    const changed = () => render(undefined);
    addEventListener(CHANGED, changed);
    return () => removeEventListener(CHANGED, changed);
  }, []);
  const read = () => {
    const written = drafts.get(name) ?? { now: parseDraft(loadDraft(name)) };
    drafts.set(name, written);
    return written;
  };
  const set = ({ now, sending }: Written) => {
    drafts.set(name, { now, sending });
    // Until a draft is sent, a reload must not lose it.
    saveDraft(name, formatDraft(sending ? joinDrafts(sending, now) : now));
    dispatchEvent(new Event(CHANGED));
  };
  const { now, sending } = read();
  return {
    now,
    isSending: sending !== undefined,
    change: (part: Partial<Draft>) => set({ ...read(), now: { ...read().now, ...part } }),
    /** Takes the draft out of the field. */
    take(tried: Draft['tried']) {
      const { now: taken } = read();
      set({ now: { ...EMPTY_DRAFT, carrier: taken.carrier }, sending: { ...taken, tried } });
    },
    /** Puts the taken draft back unless it was sent. */
    settle(isSent: boolean) {
      const written = read();
      const back = isSent || !written.sending ? written.now : joinDrafts(written.sending, written.now);
      set({ now: back });
    },
  };
}
