import type { ScreenProps } from '../route.ts';
import { Tabs } from '../parts/tabs.tsx';
import { TEXTS } from '../texts.ts';
import { TypePage } from './type-page.tsx';
import { EventTypes } from './types.tsx';
import { useState } from 'preact/hooks';
import { SearchField, SelectField } from '../parts/fields.tsx';
import { Empty, Loading, Problem } from '../parts/notices.tsx';
import { Time } from '../parts/time.tsx';
import { buildQuery, api } from '../request.ts';
import { formatHref } from '../route.ts';
import { useQuery } from '../use-query.ts';
import type { BusinessEvent } from './event.ts';
import { useAction } from '../use-action.ts';
import { RetryMany } from './retry-many.tsx';

const TABS = [
  { name: 'log', title: TEXTS.events.log },
  { name: 'types', title: TEXTS.events.types },
];

export function EventsScreen({ session, place: [part = 'log', id] }: ScreenProps) {
  const isTypes = part === 'types';
  return (
    <div class="page">
      <Tabs label={TEXTS.screens.events} screen="events" tabs={TABS} current={part} />
      {isTypes && id === undefined ? <EventTypes organization={session.organization.id} /> : null}
      {isTypes && id !== undefined ? <TypePage key={id} id={id} /> : null}
      {!isTypes && id === undefined ? <EventLog /> : null}
      {!isTypes && id !== undefined ? <EventPage key={id} id={id} /> : null}
    </div>
  );
}

const LOOK_MS = 3_000;
const PAGE = 50;
const STATUSES = ['', 'received', 'processed', 'ignored', 'failed', 'unrouted'];

function EventLog() {
  const [status, setStatus] = useState('');
  const [name, setName] = useState('');
  const [count, setCount] = useState(PAGE);
  const asked = buildQuery({
    status,
    name,
    sort: '-createdAt',
    limit: count,
    select: 'name,status,error,createdAt',
  });
  const { value, error, again } = useQuery<BusinessEvent[]>(`/events${asked}`, { everyMs: LOOK_MS });
  return (
    <section>
      <h1>{TEXTS.events.log}</h1>
      <div class="filters">
        <SelectField
          label={TEXTS.status}
          value={status}
          set={setStatus}
          options={STATUSES.map((one) => ({ value: one, text: one === '' ? TEXTS.all : one }))}
        />
        <SearchField label={TEXTS.name} placeholder="order.created" set={setName} />
      </div>
      <Problem error={error} again={again} />
      {value ? <Rows events={value} /> : error ? null : <Loading />}
      {value?.length === count ? (
        <button type="button" onClick={() => setCount(count + PAGE)}>
          {TEXTS.more}
        </button>
      ) : null}
    </section>
  );
}

function Rows({ events }: { events: readonly BusinessEvent[] }) {
  if (events.length === 0) return <Empty>{TEXTS.events.none}</Empty>;
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{TEXTS.name}</th>
          <th scope="col">{TEXTS.status}</th>
          <th scope="col">{TEXTS.events.error}</th>
          <th scope="col">{TEXTS.when}</th>
        </tr>
      </thead>
      <tbody>
        {events.map(({ id, name, status, error, createdAt }) => (
          <tr key={id}>
            <th scope="row">
              <a href={formatHref('events', 'log', id)}>{name}</a>
            </th>
            <td>
              <span class={`badge ${status}`}>{status}</span>
            </td>
            <td class="wide">{error?.message}</td>
            <td>
              <Time at={createdAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function EventPage({ id }: { id: string }) {
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
