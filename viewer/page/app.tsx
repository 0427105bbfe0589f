import { useEffect, useState } from 'preact/hooks';
import type { Chat } from './chat.ts';
import { Composer } from './composer.tsx';
import { ConnectionNotice } from './connection-notice.tsx';
import { MessageLog } from './message-log.tsx';
import { TEXTS } from './texts.ts';
import type { Action, ChatState } from './types.ts';
import { Webview } from './webview.tsx';

/** The whole page: who one talks with, what was said, and where to say something. */
export function App({ chat }: { chat: Chat }) {
  const state = useChat(chat);
  const [webview, setWebview] = useState<Action | null>(null);
  const [asksPlace, setAsksPlace] = useState(0);
  const press = (action: Action) => {
    if (action.type === 'webview') setWebview(action);
    else if (action.type === 'locationRequest') sharePlace(chat, () => setAsksPlace((count) => count + 1));
    else chat.say({ type: 'postback', text: action.payload ?? action.text, label: action.text });
  };
  return (
    <div class="chat">
      <header>
        <h1>{state.title || TEXTS.conversation}</h1>
        <ConnectionNotice connection={state.connection} waiting={state.outgoing.length} />
      </header>
      <MessageLog chat={chat} state={state} press={press} />
      {state.connection === 'gone' ? null : (
        <Composer say={(text) => chat.say({ type: 'chat', text })} asksPlace={asksPlace} />
      )}
      {webview ? <Webview action={webview} close={() => setWebview(null)} /> : null}
    </div>
  );
}

function useChat(chat: Chat): ChatState {
  const [state, setState] = useState(chat.state);
  useEffect(() => {
    setState(chat.state());
    return chat.subscribe(() => setState(chat.state()));
  }, [chat]);
  return state;
}

/** Says where the reader is, if they let the browser tell; else they are asked to write it. */
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
