import { Loading, Problem } from '../parts/notices.tsx';
import { Time } from '../parts/time.tsx';
import { api } from '../request.ts';
import { formatHref } from '../route.ts';
import { TEXTS } from '../texts.ts';
import { useAction } from '../use-action.ts';
import { useQuery } from '../use-asked.ts';
import type { BusinessEvent } from './event.ts';
import { RetryMany } from './retry-many.tsx';

/** One event: its body, and what became of it. */
export function EventPage({ id }: { id: string }) {
  const { value, error, again } = useQuery<BusinessEvent>(`/events/${id}`);
  const action = useAction();
  if (!value) return error ? <Problem error={error} again={again} /> : <Loading />;
  const { name, status, body } = value;
  const retry = async () => {
    await action.run(() => api('POST', `/events/${id}/retry`));
    again();
  };
  return (
    <section>
      <header class="head">
        <h1>{name}</h1>
        <span class={`badge ${status}`}>{status}</span>
        <button type="button" class="main" disabled={action.isRunning} onClick={() => void retry()}>
          {TEXTS.events.retry}
        </button>
        {status === 'unrouted' ? (
          <RetryMany word={TEXTS.events.retryUnrouted} path="/events/retry" body={{ name }} />
        ) : null}
      </header>
      <Problem error={action.error} />
      <Links event={value} />
      {value.error ? (
        <div class="problem">
          <p>{value.error.message}</p>
        </div>
      ) : null}
      <h2>{TEXTS.events.body}</h2>
      <pre tabIndex={0}>{JSON.stringify(body, null, 2)}</pre>
    </section>
  );
}

function Links({ event: { createdAt, messages, eventtype, conversations } }: { event: BusinessEvent }) {
  return (
    <p>
      <Time at={createdAt} /> · {TEXTS.events.posted(messages.length)}
      {eventtype ? (
        <>
          {' · '}
          <a href={formatHref('events', 'types', eventtype)}>{TEXTS.events.type}</a>
        </>
      ) : null}
      {conversations.map((conversation) => (
        <span key={conversation}>
          {' · '}
          <a href={formatHref('inbox', 'all', conversation)}>{TEXTS.inbox.conversation}</a>
        </span>
      ))}
    </p>
  );
}
