import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { TEXTS } from '../texts.ts';
import type { TimelineMessage } from './conversation.ts';
import { Stretches } from './stretches.tsx';
import type { LiveConversation } from './use-conversation.ts';

const NEAR_PX = 80;

/**
 * What was said, newest at the bottom. It stays at the bottom unless the reader has scrolled up,
 * and where they are when earlier messages come.
 */
export function Timeline({ live }: { live: LiveConversation }) {
  const { messages, hasEarlier, typing, readEarlier } = live;
  const { log, noteScroll } = useKeptScroll(messages, typing);
  const [isReading, setReading] = useState(false);
  const earlier = async () => {
    setReading(true);
    await readEarlier().catch(() => undefined);
    setReading(false);
  };
  return (
    <div
      class="timeline"
      role="log"
      aria-label={TEXTS.inbox.messages}
      tabIndex={0}
      ref={log}
      onScroll={noteScroll}
    >
      {hasEarlier ? (
        <button type="button" class="earlier" disabled={isReading} onClick={() => void earlier()}>
          {TEXTS.inbox.earlier}
        </button>
      ) : null}
      <Stretches messages={messages} log={log} />
      {typing.map((role, at) => (
        <p key={at} class="typing">
          {TEXTS.inbox.typing(role)}
        </p>
      ))}
    </div>
  );
}

function useKeptScroll(messages: readonly TimelineMessage[], typing: readonly string[]) {
  const log = useRef<HTMLDivElement>(null);
  const before = useRef({ height: 0, first: '', isAtEnd: true });
  const first = messages[0]?.id ?? '';
  useLayoutEffect(() => {
    const { current } = log;
    if (!current) return;
    if (before.current.isAtEnd) current.scrollTop = current.scrollHeight;
    else if (first !== before.current.first)
      current.scrollTop += current.scrollHeight - before.current.height;
    before.current = { ...before.current, height: current.scrollHeight, first };
  }, [messages, typing]);
  const noteScroll = () => {
    const { current } = log;
    if (!current) return;
    const isAtEnd = current.scrollHeight - current.scrollTop - current.clientHeight < NEAR_PX;
    before.current = { ...before.current, height: current.scrollHeight, isAtEnd };
  };
  return { log, noteScroll };
}
