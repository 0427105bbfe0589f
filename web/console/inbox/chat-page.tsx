import { formatHref } from '../route.ts';
import { TEXTS } from '../texts.ts';
import { Links } from './links.tsx';
import type { LinksProps } from './links.tsx';

/** The contact's page beside the conversation: one may write on both sides. */
export function ChatPage({ conversation, temporal }: LinksProps) {
  // By its path: people may use another name of this machine than the one it gives itself.
  // Its hash has it take the focus: that is where one begins to write.
  const page = `c/${conversation.url.split('/c/').at(-1) ?? ''}#write`;
  return (
    <aside class="chat-page" aria-label={TEXTS.inbox.beside}>
      <header>
        <h2>{TEXTS.inbox.beside}</h2>
        <a href={formatHref('inbox', 'all', conversation.id)}>{TEXTS.inbox.closeBeside}</a>
        <Links conversation={conversation} temporal={temporal} />
      </header>
      <iframe src={page} title={TEXTS.inbox.chatPage} />
    </aside>
  );
}
