import type { BusinessEvent } from '@parlance/client';
import { Button } from '../parts/button.tsx';
import { TextField } from '../parts/fields.tsx';
import { ActionForm, useFields } from '../parts/form.tsx';
import { Empty, Pending, Problem } from '../parts/notices.tsx';
import { ListSection, Log } from '../parts/table.tsx';
import type { TableShape } from '../parts/table.tsx';
import { Tabbed } from '../parts/tabs.tsx';
import { Time } from '../parts/time.tsx';
import { formatHref, goTo } from '../route.ts';
import type { ScreenProps } from '../route.ts';
import { client } from '../session.ts';
import { EVENT_WORDS } from './texts.ts';
import { INBOX_WORDS } from '../inbox/texts.ts';
import { TEXTS } from '../texts.ts';
import { useAction } from '../use-action.ts';
import { useQuery } from '../use-query.ts';
import { RetryMany, TypePage } from './type-page.tsx';

export function EventsScreen({ place }: Pick<ScreenProps, 'place'>) {
  const { log, types } = EVENT_WORDS;
  return (
    <Tabbed
      label={TEXTS.screens.events}
      screen="events"
      place={place}
      tabs={[
        { name: 'log', title: log, list: () => <EventLog />, page: (id) => <EventPage id={id} /> },
        { name: 'types', title: types, list: () => <EventTypes />, page: (id) => <TypePage id={id} /> },
      ]}
    />
  );
}

const LOOK_MS = 3_000;

const describeEvents = (): TableShape<BusinessEvent> => ({
  empty: EVENT_WORDS.none,
  columns: [
    { title: TEXTS.name, cell: ({ id, name }) => <a href={formatHref('events', 'log', id)}>{name}</a> },
    {
      title: TEXTS.status,
      cell: ({ status }) => <span class={`badge ${status}`}>{EVENT_WORDS.statuses[status] ?? status}</span>,
    },
    { title: EVENT_WORDS.error, class: 'wide', cell: ({ error }) => error?.message },
    { title: TEXTS.when, cell: ({ createdAt }) => <Time at={createdAt} /> },
  ],
});

function EventLog() {
  return (
    <section>
      <h1>{EVENT_WORDS.log}</h1>
      <Log
        {...describeEvents()}
        statuses={Object.entries(EVENT_WORDS.statuses).map(([value, text]) => ({ value, text }))}
        search={{ label: TEXTS.name, placeholder: 'order.created' }}
        useItems={(filter, name) => {
          const query = { ...filter, name, select: 'name,status,error,createdAt' };
          return useQuery('GET /events', { query, everyMs: LOOK_MS });
        }}
      />
    </section>
  );
}

function EventPage({ id }: { id: string }) {
  const query = useQuery('GET /events/{name}', { path: { name: id } });
  const action = useAction();
  if (!query.value) return <Pending query={query} />;
  const { name, status, body, error } = query.value;
  const retry = async () => {
    await action.run(() => client.call('POST /events/{id}/retry', { path: { id } }));
    query.again();
  };
  return (
    <section>
      <header class="head">
        <h1>{name}</h1>
        <span class={`badge ${status}`}>{EVENT_WORDS.statuses[status] ?? status}</span>
        <Button word={EVENT_WORDS.retry} class="main" disabled={action.isRunning} press={retry} />
        {status === 'unrouted' ? (
          <RetryMany
            word={EVENT_WORDS.retryUnrouted}
            retry={(since) => client.call('POST /events/retry', { body: { name, since } })}
          />
        ) : null}
      </header>
      <Problem error={action.error} />
      <Links event={query.value} />
      {error ? (
        <div class="problem">
          <p>{error.message}</p>
        </div>
      ) : null}
      <h2>{EVENT_WORDS.body}</h2>
      <pre tabIndex={0}>{JSON.stringify(body, null, 2)}</pre>
    </section>
  );
}

function Links({ event: { createdAt, messages, eventtype, conversations } }: { event: BusinessEvent }) {
  return (
    <p>
      <Time at={createdAt} /> · {EVENT_WORDS.posted(messages.length)}
      {eventtype ? (
        <>
          {' · '}
          <a href={formatHref('events', 'types', eventtype)}>{EVENT_WORDS.type}</a>
        </>
      ) : null}
      {conversations.map((conversation) => (
        <span key={conversation}>
          {' · '}
          <a href={formatHref('inbox', 'all', conversation)}>{INBOX_WORDS.conversation}</a>
        </span>
      ))}
    </p>
  );
}

const FAILED_LOOKED_AT = 200;

function EventTypes() {
  const query = useQuery('GET /eventtypes', {
    query: { limit: 1000, sort: 'name', select: 'name,description' },
  });
  const failed = useQuery('GET /events', {
    query: { status: 'failed', sort: '-id', limit: FAILED_LOOKED_AT, select: 'eventtype' },
  });
  const failing = new Set(failed.value?.map(({ eventtype }) => eventtype));
  return (
    <ListSection
      title={EVENT_WORDS.types}
      add={EVENT_WORDS.add}
      form={(close) => <NewType close={close} />}
      query={query}
    >
      {(types) =>
        types.length === 0 ? (
          <Empty>{EVENT_WORDS.noTypes}</Empty>
        ) : (
          <ul class="plain">
            {types.map(({ id, name, description }) => (
              <li key={id}>
                <a href={formatHref('events', 'types', id)}>{name}</a>{' '}
                {failing.has(id) ? <span class="badge failed">{EVENT_WORDS.failing}</span> : null}{' '}
                {description}
              </li>
            ))}
          </ul>
        )
      }
    </ListSection>
  );
}

/** `isBackchannel: false` sends the message to the contact. */
const FIRST_EXPRESSION = `{
  "type": "contact",
  "contact": { "profile": { "email": email } },
  "messages": [
    { "text": "Your order " & number & " is on its way.", "isBackchannel": false }
  ]
}`;

function NewType({ close }: { close: () => void }) {
  const { values, bind } = useFields({ name: '' });
  const create = async () => {
    const body = { ...values, jsonata: FIRST_EXPRESSION };
    const { id } = await client.call('POST /eventtypes', { body });
    close();
    goTo('events', 'types', id);
  };
  return (
    <ActionForm word={EVENT_WORDS.add} submit={create}>
      <TextField label={TEXTS.name} required hint={EVENT_WORDS.nameHint} {...bind('name')} />
    </ActionForm>
  );
}
