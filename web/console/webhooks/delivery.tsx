import { Loading, Problem } from '../parts/notices.tsx';
import { Time } from '../parts/time.tsx';
import { api } from '../request.ts';
import { formatHref } from '../route.ts';
import { TEXTS } from '../texts.ts';
import { useAction } from '../use-action.ts';
import { useQuery } from '../use-query.ts';
import { describeOutcome } from './webhook.ts';
import type { DeliveryAttempt, Delivery } from './webhook.ts';

const LOOK_MS = 2_000;

export function DeliveryPage({ id }: { id: string }) {
  const { value, error, again, replace } = useQuery<Delivery>(`/deliveries/${id}`, { everyMs: LOOK_MS });
  const action = useAction();
  if (!value) return error ? <Problem error={error} again={again} /> : <Loading />;
  const { event, status, attempts = [], body } = value;
  const retry = () =>
    action.run(async () => replace((await api<Delivery>('POST', `/deliveries/${id}/retry`)).body));
  return (
    <section>
      <header class="head">
        <h1>{event}</h1>
        <span class={`badge ${status}`}>{TEXTS.deliveryStatuses[status]}</span>
        <button type="button" class="main" disabled={action.isRunning} onClick={() => void retry()}>
          {TEXTS.webhooks.sendAgain}
        </button>
      </header>
      <Problem error={action.error} />
      <Links delivery={value} />
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
      {nextAttemptAt ? (
        <>
          {' · '}
          {TEXTS.webhooks.next} <Time at={nextAttemptAt} />
        </>
      ) : null}
    </p>
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
