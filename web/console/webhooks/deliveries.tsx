import type { Delivery } from '@parlance/client';
import { Button } from '../parts/button.tsx';
import { Pending, Problem } from '../parts/notices.tsx';
import { Log } from '../parts/table.tsx';
import type { TableShape } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { formatHref } from '../route.ts';
import { client } from '../session.ts';
import { TEXTS } from '../texts.ts';
import { useAction } from '../use-action.ts';
import { useQuery } from '../use-query.ts';
import { describeOutcome } from './webhook.ts';
import type { DeliveryAttempt } from './webhook.ts';

const LOG_LOOK_MS = 3_000;
const PAGE_LOOK_MS = 2_000;
const STATUSES = Object.entries(TEXTS.deliveryStatuses).map(([value, text]) => ({ value, text }));

const DELIVERIES: TableShape<Omit<Delivery, 'attempts' | 'body'>> = {
  empty: TEXTS.webhooks.noDeliveries,
  columns: [
    {
      title: TEXTS.event,
      cell: ({ id, event }) => <a href={formatHref('webhooks', 'deliveries', id)}>{event}</a>,
    },
    {
      title: TEXTS.status,
      cell: ({ status }) => <span class={`badge ${status}`}>{TEXTS.deliveryStatuses[status]}</span>,
    },
    {
      title: TEXTS.webhooks.attempts,
      cell: ({ attemptCount, nextAttemptAt }) => (
        <>
          {attemptCount}
          <NextAttempt at={nextAttemptAt} />
        </>
      ),
    },
    { title: TEXTS.when, cell: ({ createdAt }) => <Time at={createdAt} /> },
  ],
};

export function DeliveryLog({ service }: { service?: string }) {
  return (
    <Log
      {...DELIVERIES}
      statuses={STATUSES}
      search={{ label: TEXTS.event, placeholder: 'message.create.bot.chat' }}
      useItems={(filter, event) =>
        useQuery('GET /deliveries', { query: { service, ...filter, event }, everyMs: LOG_LOOK_MS })
      }
    />
  );
}

export function DeliveryPage({ id }: { id: string }) {
  const path = { id };
  const query = useQuery('GET /deliveries/{id}', { path, everyMs: PAGE_LOOK_MS });
  const action = useAction();
  if (!query.value) return <Pending query={query} />;
  const { event, status, attempts, body } = query.value;
  const retry = () =>
    action.run(async () => query.replace(await client.call('POST /deliveries/{id}/retry', { path })));
  return (
    <section>
      <header class="head">
        <h1>{event}</h1>
        <span class={`badge ${status}`}>{TEXTS.deliveryStatuses[status]}</span>
        <Button word={TEXTS.webhooks.sendAgain} class="main" disabled={action.isRunning} press={retry} />
      </header>
      <Problem error={action.error} />
      <Links delivery={query.value} />
      <h2>{TEXTS.webhooks.attempts}</h2>
      <ol class="attempts">
        {attempts.map((attempt) => (
          <AttemptRow key={attempt.at} attempt={attempt} />
        ))}
      </ol>
      <h2>{TEXTS.webhooks.request}</h2>
      <pre tabIndex={0}>{JSON.stringify(body, null, 2)}</pre>
    </section>
  );
}

function Links({ delivery: { service, conversation, nextAttemptAt } }: { delivery: Delivery }) {
  return (
    <p>
      <a href={formatHref('webhooks', 'services', service)}>{TEXTS.webhooks.service}</a>
      {conversation ? (
        <>
          {' · '}
          <a href={formatHref('inbox', 'all', conversation)}>{TEXTS.inbox.conversation}</a>
        </>
      ) : null}
      <NextAttempt at={nextAttemptAt} />
    </p>
  );
}

function NextAttempt({ at }: { at: string | undefined }) {
  if (!at) return null;
  return (
    <>
      {' · '}
      {TEXTS.webhooks.next} <Time at={at} />
    </>
  );
}

function AttemptRow({ attempt }: { attempt: DeliveryAttempt }) {
  const { at, durationMs, outcome, response, reply } = attempt;
  return (
    <li>
      <p>
        <span class={`badge ${outcome === 'delivered' ? 'delivered' : 'failed'}`}>
          {describeOutcome(attempt)}
        </span>{' '}
        <Time at={at} /> · {Math.round(durationMs)} ms
      </p>
      {response ? (
        <details>
          <summary>{TEXTS.webhooks.answer}</summary>
          <pre tabIndex={0}>{response}</pre>
        </details>
      ) : null}
      {reply ? <p>{reply}</p> : null}
    </li>
  );
}
