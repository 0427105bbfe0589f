import { useCallback, useEffect, useState } from 'preact/hooks';
import { isComposing } from '../components/typing-signal.ts';
import { Composer } from '../components/composer.tsx';
import { PicturesOnRequest } from '../components/picture.tsx';
import { MessageLog } from '../components/message-log.tsx';
import { TEXTS } from '../components/texts.ts';
import type { Action, ChatState, UploadedFile } from '../components/types.ts';
import { Webview } from '../components/webview.tsx';
import type { Branding } from '../look.ts';
import type { Chat } from './chat.ts';
import { Header } from './header.tsx';
import type { Host } from './host.ts';
import { uploadTarget } from './server.ts';
import { StandingLines } from './standing.tsx';
import { loadDraft, saveDraft } from './stored-values.ts';

interface Props {
  chat: Chat;
  look: Branding;
  host: Host;
}

export function App({ chat, look, host }: Props) {
  const state = useChat(chat);
  const isVisible = useVisible(host);
  const printing = usePrinting(chat);
  const [webview, setWebview] = useState<Action | null>(null);
  const [asksPlace, setAsksPlace] = useState(0);
  const press = useCallback((action: Action) => {
    if (action.type === 'webview') setWebview(action);
    else if (action.type === 'locationRequest') sharePlace(chat, () => setAsksPlace((count) => count + 1));
    else chat.say({ type: 'postback', text: action.payload ?? action.text, label: action.text });
  }, []);
  const count = (unread: number) => {
    document.title = `${unread > 0 ? `(${unread}) ` : ''}${look.title || TEXTS.conversation}`;
    host.tell({ unread });
  };
  useEffect(() => {
    if (state.connection === 'gone') host.tell({ gone: true });
  }, [state.connection]);
  return (
    <div class="chat">
      <Header look={look} state={state} host={host} print={printing.print} />
      {printing.isReading ? (
        <p class="reading" role="status">
          {TEXTS.readingAll}
        </p>
      ) : null}
      <PicturesOnRequest.Provider value={IS_FOR_AGENT}>
        <MessageLog
          state={state}
          welcome={look.welcome}
          press={press}
          discard={chat.discard}
          readEarlier={() => chat.readEarlier()}
          watch={chat.watch}
          count={count}
          isVisible={isVisible}
          isPrinting={printing.isReading}
          end={<StandingLines state={state} />}
        />
      </PicturesOnRequest.Provider>
      {state.connection === 'gone' ? null : (
        <Composer
          say={(text, files) => sayAll(chat, text, files)}
          uploadTarget={uploadTarget}
          loadDraft={loadDraft}
          write={(text) => {
            saveDraft(text);
            chat.writing(text);
          }}
          asksPlace={asksPlace}
        />
      )}
      {webview ? <Webview action={webview} close={() => setWebview(null)} /> : null}
    </div>
  );
}

/** The console opens the page with this hash. Pictures of contacts load only on request there. */
export const IS_FOR_AGENT = location.hash === '#agent';

/** Maximum of files that the server takes with a text. */
const MAX_FILES = 10;

function sayAll(chat: Chat, text: string, files: readonly UploadedFile[]): void {
  chat.say({ type: 'chat', text, ...(files.length > 0 && { files: files.slice(0, MAX_FILES) }) });
  if (files.length > MAX_FILES) sayAll(chat, '', files.slice(MAX_FILES));
}

function useChat(chat: Chat): ChatState {
  const [state, setState] = useState(chat.state);
  useEffect(() => {
    setState(chat.state());
    chat.subscribe(() => setState(chat.state()));
  }, []);
  return state;
}

function useVisible(host: Host): boolean {
  const [isVisible, setVisible] = useState(!document.hidden && host.isOpen());
  useEffect(() => {
    const look = () => setVisible(!document.hidden && host.isOpen());
    document.addEventListener('visibilitychange', look);
    host.watch(({ open, focus }) => {
      look();
      if (open && focus) requestAnimationFrame(focusComposer);
    });
    // If Escape closes a part of the page, the widget stays open.
    document.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || !host.isWidget || event.defaultPrevented || isComposing(event)) return;
      if (!document.querySelector('dialog[open], details[open]')) host.tell({ close: true });
    });
  }, []);
  return isVisible;
}

/** Call after rendering: a hidden frame cannot take the focus. */
export function focusComposer(): void {
  document.querySelector<HTMLElement>('#say')?.focus();
}

function sharePlace(chat: Chat, fallBack: () => void): void {
  if (!('geolocation' in navigator)) {
    fallBack();
    return;
  }
  navigator.geolocation.getCurrentPosition(
    ({ coords }) =>
      chat.say({ type: 'chat', text: `${coords.latitude.toFixed(6)}, ${coords.longitude.toFixed(6)}` }),
    fallBack,
    { timeout: 10_000 },
  );
}

/** See spec 10.9. */
function usePrinting(chat: Chat): { print: () => void; isReading: boolean } {
  const [isReading, setReading] = useState(false);
  const print = () => {
    setReading(true);
    // After an error, print what was loaded.
    void chat
      .readAll()
      .catch(() => undefined)
      .then(() => {
        setReading(false);
        // Wait until the loaded messages are rendered.
        requestAnimationFrame(() => requestAnimationFrame(() => window.print()));
      });
  };
  useEffect(() => {
    document.addEventListener('keydown', (event) => {
      if (event.key.toLowerCase() !== 'p' || !(event.ctrlKey || event.metaKey) || event.shiftKey) return;
      event.preventDefault();
      print();
    });
  }, []);
  return { print, isReading };
}
