import { Smile } from 'lucide';
import type { RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { AttachButtons, pasteFiles, useDroppedFiles } from '../../components/attach.tsx';
import { MAX_CHARACTERS } from '../../components/shown-text.ts';
import { TEXTS as PAGE_TEXTS } from '../../components/texts.ts';
import { isComposing } from '../../components/typing-signal.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Icon } from '../parts/icon.tsx';
import { Menu } from '../parts/menu.tsx';
import { Problem } from '../parts/notices.tsx';
import type { Session } from '../session.ts';
import { loadShared, saveShared } from '../storage.ts';
import { INBOX_WORDS } from './texts.ts';
import { TEXTS } from '../texts.ts';
import { CarrierField } from './carrier-choice.tsx';
import { useComposer } from './composer.ts';
import type { Composer } from './composer.ts';
import type { InboxConversation } from './conversation.ts';
import { MomentForm } from './moments.tsx';
import { applySuggestion } from './suggest.ts';
import { LIST_ID, SuggestionList, getOptionId, useSuggestions } from './suggestions.tsx';

interface Props {
  conversation: InboxConversation;
  session: Session;
  done: () => void;
  isBeside: boolean;
  /** Number of replies that were not delivered. */
  failures: number;
}

/** Unsent text survives a reload and the end of the session. A reply and a note are two drafts. */
export function Reply({ conversation, session, done, isBeside, failures }: Props) {
  const words = INBOX_WORDS;
  const composer = useComposer({ conversation, session, done, failures });
  const { isNote, setNote, carrier, draft, send, attachments } = composer;
  const { text } = draft.now;
  const isAbove = useDroppedFiles(attachments.add);
  const field = useRef<HTMLTextAreaElement>(null);
  const [isDelaying, setDelaying] = useState(false);
  const [entersSends, setEnterSends] = useEnterSends();
  const isRefused = !isNote && carrier.chosen?.refusal !== undefined && !text.trim().startsWith('/');
  const isComplete = text.trim() !== '' || attachments.files.length > 0;
  const mayAct = isComplete && text.length <= MAX_CHARACTERS && !attachments.isUploading;
  const maySend = !draft.isSending && mayAct && !isRefused;
  const submit = (event: Event) => {
    event.preventDefault();
    if (maySend) void send();
  };
  return (
    <section class="composer-section" aria-label={words.composer}>
      <form class={isNote ? 'reply backchannel' : 'reply'} onSubmit={submit}>
        <ComposerTabs isNote={isNote} set={setNote} />
        <div role="tabpanel" id="composer" aria-label={isNote ? words.noteTab : words.replyTab}>
          {isAbove ? <p class="drop">{PAGE_TEXTS.dropHere}</p> : null}
          {isNote ? null : <CarrierField {...carrier} />}
          {attachments.list}
          <Editor {...{ composer, conversation, session, isBeside, entersSends, submit, field }} />
          <div class="composer-row">
            <AttachButtons add={attachments.add} />
            <EmojiMenu composer={composer} field={field} />
            {isNote ? null : <QuickReplies {...composer.replies} />}
            <EnterSends isOn={entersSends} set={setEnterSends} />
            <button
              type="button"
              class="quiet"
              disabled={!maySend || text.trimStart().startsWith('/')}
              onClick={() => setDelaying(true)}
            >
              {words.later}
            </button>
            <button
              type="submit"
              class="main"
              disabled={!maySend}
              title={attachments.isUploading ? PAGE_TEXTS.waitForUploads : undefined}
            >
              {isNote ? words.sendNote : TEXTS.send}
            </button>
          </div>
        </div>
      </form>
      {isDelaying ? <SendLater send={send} close={() => setDelaying(false)} /> : null}
    </section>
  );
}

function SendLater({ send, close }: Pick<Composer, 'send'> & { close: () => void }) {
  const { later, sendAt } = INBOX_WORDS;
  return (
    <Dialog title={later} close={close}>
      <MomentForm word={later} label={sendAt} submit={(at) => send(at).then(close)} />
    </Dialog>
  );
}

type FieldRef = RefObject<HTMLTextAreaElement | null>;

interface EditorProps extends Pick<Props, 'conversation' | 'session' | 'isBeside'> {
  composer: Composer;
  entersSends: boolean;
  submit: (event: Event) => void;
  field: FieldRef;
}

function Editor({ composer, conversation, session, isBeside, entersSends, submit, field }: EditorProps) {
  const { isNote, draft, refusal, action, write, mention } = composer;
  const { text } = draft.now;
  const suggestions = useSuggestions({
    ...{ text, isNote, session, organization: conversation.organization },
    choose(suggestion) {
      if (suggestion.user !== undefined) mention(suggestion.user, suggestion.title);
      write(applySuggestion(text, suggestion));
      field.current?.focus();
    },
  });
  const isOffering = suggestions.options.length > 0;
  const label = isNote ? INBOX_WORDS.writeNote : INBOX_WORDS.writeReply;
  const hint = isBeside ? INBOX_WORDS.writeBeside : INBOX_WORDS.writeReplyHint;
  const excess = text.length - MAX_CHARACTERS;
  const problem = excess > 0 ? PAGE_TEXTS.tooLong(excess) : refusal;
  return (
    <>
      <SuggestionList {...suggestions} />
      <textarea
        ref={field}
        aria-autocomplete="list"
        aria-controls={isOffering ? LIST_ID : undefined}
        aria-activedescendant={isOffering ? getOptionId(suggestions.active) : undefined}
        aria-label={label}
        placeholder={draft.isSending ? INBOX_WORDS.sending : isNote ? label : hint}
        rows={3}
        value={text}
        onPaste={(event) => pasteFiles(event, composer.attachments.add)}
        onInput={({ currentTarget }) => write(currentTarget.value)}
        onKeyDown={(event) => {
          if (isComposing(event) || suggestions.takeKey(event)) return;
          if (isSendKey(event, entersSends)) submit(event);
        }}
      />
      {problem === undefined ? null : (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <Problem error={action.error} />
    </>
  );
}

function EnterSends({ isOn, set }: { isOn: boolean; set: (isOn: boolean) => void }) {
  return (
    <label class="enter-sends">
      <input type="checkbox" checked={isOn} onChange={({ currentTarget }) => set(currentTarget.checked)} />{' '}
      {INBOX_WORDS.enterSends}
    </label>
  );
}

function ComposerTabs({ isNote, set }: { isNote: boolean; set: (isNote: boolean) => void }) {
  const words = INBOX_WORDS;
  const list = useRef<HTMLDivElement>(null);
  const tab = (word: string, isOfNote: boolean) => (
    <button
      type="button"
      role="tab"
      aria-controls="composer"
      aria-selected={isNote === isOfNote}
      tabIndex={isNote === isOfNote ? 0 : -1}
      onClick={() => set(isOfNote)}
    >
      {word}
    </button>
  );
  const typed = ({ key }: KeyboardEvent) => {
    if (key !== 'ArrowLeft' && key !== 'ArrowRight') return;
    set(!isNote);
    list.current?.querySelector<HTMLElement>('[aria-selected=false]')?.focus();
  };
  return (
    <div class="composer-tabs" role="tablist" aria-label={words.composer} ref={list} onKeyDown={typed}>
      {tab(words.replyTab, false)}
      {tab(words.noteTab, true)}
    </div>
  );
}

function QuickReplies({ value, set }: { value: string; set: (value: string) => void }) {
  const words = INBOX_WORDS;
  return (
    <input
      type="text"
      aria-label={words.quickReplies}
      placeholder={`${words.quickReplies}: ${words.quickRepliesHint}`}
      value={value}
      onInput={({ currentTarget }) => set(currentTarget.value)}
      onKeyDown={(event) => {
        // Enter would send the unfinished reply.
        if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) event.preventDefault();
      }}
    />
  );
}

const EMOJI = Array.from('😀😄😊😉😍🤔😅😂😢😮😎🙂👍👎👏🙏💪👋🤝✅❌❗❓💡🎉🔥⭐🚀📦📎📅📞');

/** The everyday ones. The keyboard of the system has all. */
function EmojiMenu({ composer: { draft, write }, field }: { composer: Composer; field: FieldRef }) {
  const { text: written } = draft.now;
  const insert = (text: string) => {
    const { selectionStart = 0, selectionEnd = 0 } = field.current ?? {};
    write(`${written.slice(0, selectionStart)}${text}${written.slice(selectionEnd)}`);
    field.current?.focus();
  };
  const items = EMOJI.map((word) => ({ word, press: () => insert(word) }));
  return (
    <Menu label={INBOX_WORDS.emoji} items={items} class="emoji">
      <Icon icon={Smile} />
    </Menu>
  );
}

const ENTER_KEY = 'parlance:console:enter';

function useEnterSends(): [boolean, (isOn: boolean) => void] {
  const [isOn, setOn] = useState(() => loadShared(ENTER_KEY) !== 'line');
  return [
    isOn,
    (next) => {
      setOn(next);
      saveShared(ENTER_KEY, next ? '' : 'line');
    },
  ];
}

/** Phones have no Shift+Enter, so Enter starts a new line there. */
const IS_TOUCHED = matchMedia('(hover: none) and (pointer: coarse)').matches;

function isSendKey(event: KeyboardEvent, entersSends: boolean): boolean {
  if (event.key !== 'Enter') return false;
  return event.ctrlKey || event.metaKey || (entersSends && !event.shiftKey && !IS_TOUCHED);
}
