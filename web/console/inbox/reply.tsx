import { randomKey } from '@parlance/client';
import { useMemo, useRef, useState, useEffect } from 'preact/hooks';
import { isComposing, createTypingSignal } from '../../components/typing-signal.ts';
import { hasVisibleText } from '../../components/shown-text.ts';
import { Problem } from '../parts/notices.tsx';
import { client } from '../session.ts';
import { loadDraft, saveDraft } from '../storage.ts';
import { TEXTS } from '../texts.ts';
import { useAction } from '../use-action.ts';
import type { InboxConversation } from './conversation.ts';

const MAX_CHARACTERS = 32_000;
const MINUTE_MS = 60_000;
const DELAYS = [0, MINUTE_MS, 10 * MINUTE_MS, 60 * MINUTE_MS, 24 * 60 * MINUTE_MS];

interface Props {
  conversation: InboxConversation;
  user: string;
  done: () => void;
  isBeside: boolean;
}

interface ReplyOptions {
  isBackchannel: boolean;
  /** Milliseconds. */
  delay: number;
  /** Quick replies, such as `Yes, No`. */
  replies: string;
}

const PLAIN: ReplyOptions = { isBackchannel: false, delay: 0, replies: '' };

/** Unsent text survives a reload and the end of the session. */
export function Reply({ conversation, user, done, isBeside }: Props) {
  const draft = useDraft(`parlance:console:${user}:${conversation.id}`);
  const [manner, setManner] = useState(PLAIN);
  const action = useAction();
  const signal = useTyping(conversation.id, !manner.isBackchannel);
  const send = async (event: Event) => {
    event.preventDefault();
    const text = draft.text.trim();
    if (!hasVisibleText(text)) return;
    const body = { ...buildMessage(text, manner), externalId: draft.key };
    const path = { id: conversation.id };
    if (!(await action.run(() => client.call('POST /conversations/{id}/messages', { path, body })))) return;
    draft.clear();
    signal('');
    setManner({ ...PLAIN, isBackchannel: manner.isBackchannel });
    done();
  };
  const label = manner.isBackchannel ? TEXTS.inbox.writeNote : TEXTS.inbox.writeReply;
  return (
    <form class={manner.isBackchannel ? 'reply backchannel' : 'reply'} onSubmit={(event) => void send(event)}>
      <textarea
        aria-label={label}
        placeholder={isBeside && !manner.isBackchannel ? TEXTS.inbox.writeBeside : label}
        maxLength={MAX_CHARACTERS}
        rows={3}
        value={draft.text}
        onInput={({ currentTarget }) => {
          draft.write(currentTarget.value);
          signal(currentTarget.value);
        }}
        onKeyDown={(event) => {
          if (isComposing(event)) return;
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void send(event);
        }}
      />
      <Problem error={action.error} />
      <Options manner={manner} set={setManner} maySend={!action.isRunning && draft.text.trim() !== ''} />
    </form>
  );
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

interface OptionsProps {
  manner: ReplyOptions;
  set: (manner: ReplyOptions) => void;
  maySend: boolean;
}

function Options({ manner, set, maySend }: OptionsProps) {
  const { isBackchannel, delay, replies } = manner;
  return (
    <div class="options">
      <label>
        <input
          type="checkbox"
          checked={isBackchannel}
          onChange={({ currentTarget }) => set({ ...manner, isBackchannel: currentTarget.checked })}
        />{' '}
        {TEXTS.inbox.backchannel}
      </label>
      <select
        aria-label={TEXTS.inbox.when}
        value={delay}
        onChange={({ currentTarget }) => set({ ...manner, delay: Number(currentTarget.value) })}
      >
        {DELAYS.map((ms) => (
          <option key={ms} value={ms}>
            {TEXTS.inbox.delay(ms / MINUTE_MS)}
          </option>
        ))}
      </select>
      {isBackchannel ? null : (
        <input
          type="text"
          aria-label={TEXTS.inbox.quickReplies}
          placeholder={TEXTS.inbox.quickReplies}
          value={replies}
          onInput={({ currentTarget }) => set({ ...manner, replies: currentTarget.value })}
        />
      )}
      <button type="submit" class="main" disabled={!maySend}>
        {isBackchannel ? TEXTS.inbox.sendNote : TEXTS.send}
      </button>
    </div>
  );
}

function buildMessage(text: string, { isBackchannel, delay, replies }: ReplyOptions) {
  const words = replies.split(',').map((word) => word.trim());
  const actions = words
    .filter(Boolean)
    .map((word) => ({ type: 'reply' as const, text: word, payload: word }));
  return {
    type: 'chat' as const,
    role: 'agent' as const,
    text,
    isBackchannel,
    actions: isBackchannel || actions.length === 0 ? undefined : actions,
    delay: delay || undefined,
  };
}

function useDraft(name: string) {
  const [text, setText] = useState(() => loadDraft(name));
  // External id, so that a repeated press sends one message.
  const [key, setKey] = useState(randomKey);
  useEffect(() => setText(loadDraft(name)), [name]);
  return {
    text,
    key,
    write(next: string) {
      setText(next);
      saveDraft(name, next);
    },
    clear() {
      setText('');
      saveDraft(name, '');
      setKey(randomKey());
    },
  };
}
