import { useEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
import { definedFields } from '../../../domain/record-fields.ts';
import { useAttachments } from '../../components/attach.tsx';
import { hasVisibleText } from '../../components/shown-text.ts';
import { createTypingSignal } from '../../components/typing-signal.ts';
import type { UploadedFile } from '../../components/types.ts';
import { client, uploadTarget } from '../session.ts';
import type { Session } from '../session.ts';
import { loadDraft, saveDraft } from '../storage.ts';
import { useAction } from '../use-action.ts';
import { useCarriers } from './carrier-choice.tsx';
import type { CarrierChoice } from './carrier-choice.tsx';
import type { InboxConversation } from './conversation.ts';
import { EMPTY_DRAFT, formatDraft, identifyAttempt, joinDrafts, parseDraft } from './draft.ts';
import type { Draft } from './draft.ts';
import { parseSlash } from './slash.ts';
import { findMentioned } from './suggest.ts';

interface ComposerOptions {
  conversation: InboxConversation;
  session: Session;
  done: () => void;
  failures: number;
}

export type Composer = ReturnType<typeof useComposer>;

/** The text and the files of a reply or a note. Each has its own. */
export function useComposer({ conversation, session, done, failures }: ComposerOptions) {
  const name = getDraftName(session.user, conversation.id);
  const [isNote, setNote] = useTab(`${name}:tab`);
  const draft = useDraft(isNote ? `${name}:note` : name);
  const choice = { value: draft.now.carrier, set: (carrier: string) => draft.change({ carrier }) };
  const carrier = useCarriers(conversation, failures, choice);
  const target = () => uploadTarget(conversation.id);
  const ofReply = useAttachments(target);
  const ofNote = useAttachments(target);
  const attachments = isNote ? ofNote : ofReply;
  const [refusal, setRefusal] = useState<string>();
  const action = useAction();
  const signal = useTyping(conversation.id, !isNote);
  const post = async (sendAt?: string) => {
    const { text, replies, mentioned, tried } = draft.now;
    const files = attachments.files;
    if (draft.isSending || (!hasVisibleText(text) && files.length === 0)) return;
    const slash = parseSlash(text.trim());
    setRefusal(slash && 'refusal' in slash ? slash.refusal : undefined);
    if (slash && 'refusal' in slash) return;
    const messages = slash
      ? [{ type: 'command' as const, text: slash.command }]
      : buildMessages(text.trim(), {
          ...{ isNote, files },
          replies: isNote ? '' : replies,
          mentioned: isNote ? findMentioned(text, mentioned) : [],
          shared: { ...(isNote ? {} : carrier.fields), ...definedFields({ sendAt }) },
        });
    const attempt = identifyAttempt(messages, tried);
    draft.take(attempt);
    signal('');
    const body = messages.map((one, at) => ({ ...one, externalId: getExternalId(attempt.key, at) }));
    try {
      await client.call('POST /conversations/{id}/messages', { path: { id: conversation.id }, body });
    } catch (error) {
      draft.settle(false);
      carrier.again();
      throw error;
    }
    // Files that were added while the message was sent belong to the next message.
    if (!slash) attachments.take(files);
    draft.settle(true);
    saveDraft(`${name}:tab`, '');
    done();
  };
  return {
    ...{ isNote, setNote, draft, carrier, attachments, action, refusal },
    replies: { value: draft.now.replies, set: (replies: string) => draft.change({ replies }) },
    mention: (id: string, colleague: string) =>
      draft.change({ mentioned: { ...draft.now.mentioned, [id]: colleague } }),
    /** With a time, rejects after a failure. Without a time, `action.error` is set. */
    send: (sendAt?: string): Promise<unknown> =>
      sendAt === undefined ? action.run(() => post()) : post(sendAt),
    write: (text: string) => {
      setRefusal(undefined);
      draft.change({ text });
      setNote(isNote);
      signal(text);
    },
  };
}

function getExternalId(key: string, at: number): string {
  return at === 0 ? key : `${key}#${at}`;
}

const NOTE = 'note';

/** Returns whether a note is written. A reload keeps the tab until the note is sent. */
function useTab(name: string): [isNote: boolean, set: (isNote: boolean) => void] {
  const [isNote, setNote] = useState(() => loadDraft(name) === NOTE);
  return [
    isNote,
    (next) => {
      setNote(next);
      saveDraft(name, next ? NOTE : '');
    },
  ];
}

function useTyping(conversation: string, isWanted: boolean): (text: string) => void {
  const wanted = useRef(isWanted);
  wanted.current = isWanted;
  const signal = useMemo(
    () =>
      createTypingSignal({
        isWanted: () => wanted.current,
        tell(typing) {
          const options = { path: { id: conversation }, body: { typing } };
          client.call('PUT /conversations/{id}/typing', options).catch(() => undefined);
        },
      }),
    [conversation],
  );
  // An agent who leaves the conversation is not typing in it.
  useEffect(() => () => signal(''), [signal]);
  return signal;
}

interface MessageOptions {
  isNote: boolean;
  files: readonly UploadedFile[];
  /** Labels of buttons, such as `Yes, No`. */
  replies: string;
  /** Ids of colleagues. */
  mentioned: readonly string[];
  /** Fields of every message. */
  shared: CarrierChoice['fields'] & { sendAt?: string };
}

/** The text comes first, then a message for each file. */
function buildMessages(text: string, { isNote, files, shared, ...given }: MessageOptions) {
  const spoken = { type: 'chat' as const, role: 'agent' as const, isBackchannel: isNote, ...shared };
  const texts = hasVisibleText(text) ? [{ ...spoken, ...describeText(text, given) }] : [];
  return [...texts, ...files.map(({ url }) => ({ ...spoken, text: url }))];
}

function describeText(text: string, { replies, mentioned }: Pick<MessageOptions, 'replies' | 'mentioned'>) {
  if (mentioned.length > 0) {
    return { type: 'mention' as const, text, meta: { targetUser: [...mentioned] } };
  }
  const labels = replies.split(',').map((word) => word.trim());
  const actions = labels
    .filter(Boolean)
    .map((word) => ({ type: 'reply' as const, text: word, payload: word }));
  return { text, ...(actions.length === 0 ? {} : { actions }) };
}

interface Written {
  now: Draft;
  sending?: Draft | undefined;
}

/** Outlives the view, so that the agent may leave a conversation while a reply is being sent. */
const drafts = new Map<string, Written>();
const CHANGED = 'parlance:draft';

export function getDraftName(user: string, conversation: string): string {
  return `parlance:console:${user}:${conversation}`;
}

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
