import { randomKey } from '@parlance/client';
import { useMemo, useReducer, useRef, useState } from 'preact/hooks';
import { definedFields } from '../../../domain/record-fields.ts';
import { useAttachments } from '../../components/attach.tsx';
import { hasVisibleText } from '../../components/shown-text.ts';
import { createTypingSignal } from '../../components/typing-signal.ts';
import type { UploadedFile } from '../../components/types.ts';
import { client, uploadTarget } from '../session.ts';
import type { Session } from '../session.ts';
import { loadDraft, saveDraft } from '../storage.ts';
import { useAction } from '../use-action.ts';
import type { CarrierChoice } from './carrier-choice.tsx';
import type { InboxConversation } from './conversation.ts';
import { parseSlash } from './slash.ts';
import { findMentioned } from './suggest.ts';

interface ComposerOptions {
  conversation: InboxConversation;
  session: Session;
  done: () => void;
  isNote: boolean;
  carrier: CarrierChoice;
}

export type Composer = ReturnType<typeof useComposer>;

/** The text and the files of a reply or a note. Each has its own. */
export function useComposer({ conversation, session, done, isNote, carrier }: ComposerOptions) {
  const draft = useDraft(`parlance:console:${session.user}:${conversation.id}${isNote ? ':note' : ''}`);
  const target = () => uploadTarget(conversation.id);
  const ofReply = useAttachments(target);
  const ofNote = useAttachments(target);
  const attachments = isNote ? ofNote : ofReply;
  const [quickReplies, setReplies] = useState('');
  const [refusal, setRefusal] = useState<string>();
  // Names by the id of the mentioned colleague.
  const [mentioned, setMentioned] = useState<ReadonlyMap<string, string>>(new Map());
  const action = useAction();
  const signal = useTyping(conversation.id, !isNote);
  const post = async (sendAt?: string) => {
    const text = draft.text.trim();
    const files = attachments.files;
    if (!hasVisibleText(text) && files.length === 0) return;
    const slash = parseSlash(text);
    setRefusal(slash && 'refusal' in slash ? slash.refusal : undefined);
    if (slash && 'refusal' in slash) return;
    const body = slash
      ? [{ type: 'command' as const, text: slash.command, externalId: draft.key }]
      : buildMessages(text, {
          isNote,
          files,
          key: draft.key,
          replies: isNote ? '' : quickReplies,
          mentioned: isNote ? findMentioned(text, mentioned) : [],
          shared: { ...(isNote ? {} : carrier.fields), ...definedFields({ sendAt }) },
        });
    try {
      await client.call('POST /conversations/{id}/messages', { path: { id: conversation.id }, body });
    } catch (error) {
      carrier.again();
      throw error;
    }
    // What was written or added while the message was sent belongs to the next message.
    if (!slash) attachments.take(files);
    draft.clear();
    if (!isNote) {
      signal('');
      setReplies((now) => (now === quickReplies ? '' : now));
    }
    done();
  };
  return {
    draft,
    attachments,
    replies: { value: quickReplies, set: setReplies },
    action,
    refusal,
    mention: (id: string, name: string) => setMentioned((before) => new Map(before).set(id, name)),
    /** With a time, rejects after a failure. Without a time, `action.error` is set. */
    send: (sendAt?: string): Promise<unknown> =>
      sendAt === undefined ? action.run(() => post()) : post(sendAt),
    write: (text: string) => {
      setRefusal(undefined);
      draft.write(text);
      signal(text);
    },
  };
}

function useTyping(conversation: string, isWanted: boolean): (text: string) => void {
  const wanted = useRef(isWanted);
  wanted.current = isWanted;
  return useMemo(
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
}

interface MessageOptions {
  isNote: boolean;
  files: readonly UploadedFile[];
  /** External id of the first message. */
  key: string;
  /** Labels of buttons, such as `Yes, No`. */
  replies: string;
  /** Ids of colleagues. */
  mentioned: readonly string[];
  /** Fields of every message. */
  shared: CarrierChoice['fields'] & { sendAt?: string };
}

/** The text comes first, then a message for each file. */
function buildMessages(text: string, { isNote, files, key, shared, ...given }: MessageOptions) {
  const spoken = { type: 'chat' as const, role: 'agent' as const, isBackchannel: isNote, ...shared };
  const texts = hasVisibleText(text) ? [{ ...spoken, ...describeText(text, given) }] : [];
  return [...texts, ...files.map(({ url }) => ({ ...spoken, text: url }))].map((message, at) => ({
    ...message,
    externalId: at === 0 ? key : `${key}#${at}`,
  }));
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

/** Returns the draft of this name: a reply or a note. */
function useDraft(name: string) {
  const [, render] = useReducer((turn: number) => turn + 1, 0);
  const texts = useRef(new Map<string, string>());
  const text = texts.current.get(name) ?? loadDraft(name);
  texts.current.set(name, text);
  const set = (next: string) => {
    texts.current.set(name, next);
    render(undefined);
  };
  // External ids by draft, so that a repeated press sends one message.
  const keys = useRef(new Map<string, string>());
  return {
    text,
    get key() {
      const key = keys.current.get(name) ?? randomKey();
      keys.current.set(name, key);
      return key;
    },
    write(next: string) {
      set(next);
      saveDraft(name, next);
    },
    /** Removes the text that was sent, and keeps what was written meanwhile. */
    clear() {
      const withoutSent = (now: string) => (now.startsWith(text) ? now.slice(text.length) : now);
      keys.current.delete(name);
      saveDraft(name, withoutSent(loadDraft(name)));
      set(withoutSent(texts.current.get(name) ?? ''));
    },
  };
}
