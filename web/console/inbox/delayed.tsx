import { useState } from 'preact/hooks';
import { stripOverrides } from '../../components/shown-text.ts';
import { Confirm } from '../parts/dialog.tsx';
import { Time } from '../parts/time.tsx';
import { api } from '../request.ts';
import { TEXTS } from '../texts.ts';
import type { TimelineMessage } from './conversation.ts';

interface Props {
  messages: readonly TimelineMessage[];
  mayCancel: boolean;
  done: () => void;
}

/** What waits for its time: when it comes, and how to stop it. */
export function Delayed({ messages, mayCancel, done }: Props) {
  const [cancelled, setCancelled] = useState<TimelineMessage>();
  if (messages.length === 0) return null;
  return (
    <section class="delayed" aria-label={TEXTS.inbox.delayed}>
      <h2>{TEXTS.inbox.delayed}</h2>
      <ul>
        {messages.map((message) => (
          <li key={message.id}>
            <span class="text">{stripOverrides(message.text)}</span> <Time at={formatDueTime(message)} />{' '}
            {mayCancel ? (
              <button type="button" class="quiet" onClick={() => setCancelled(message)}>
                {TEXTS.cancel}
              </button>
            ) : null}
          </li>
        ))}
      </ul>
      {cancelled ? (
        <Confirm
          title={TEXTS.inbox.cancelDelayed}
          word={TEXTS.inbox.doNotSend}
          act={() => api('DELETE', `/messages/${cancelled.id}`).then(done)}
          close={() => setCancelled(undefined)}
        >
          <blockquote>{stripOverrides(cancelled.text)}</blockquote>
        </Confirm>
      ) : null}
    </section>
  );
}

function formatDueTime({ createdAt, delay = 0 }: TimelineMessage): string {
  return new Date(new Date(createdAt).getTime() + delay).toISOString();
}
