import type { Delivery } from '@parlance/client';
import { Button } from '../parts/button.tsx';
import { ConfirmButton } from '../parts/dialog.tsx';
import { Pending, Problem } from '../parts/notices.tsx';
import { Log } from '../parts/table.tsx';
import type { TableShape } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { formatHref } from '../route.ts';
import { client } from '../session.ts';
import { channels as CHANNEL_WORDS } from '../channels/texts.ts';
import { webhooks as WEBHOOK_WORDS } from './texts.ts';
import { INBOX_WORDS } from '../inbox/texts.ts';
import { TEXTS } from '../texts.ts';
import { useAction } from '../use-action.ts';
import { useQuery } from '../use-query.ts';
import { describeOutcome } from './webhook.ts';
import type { DeliveryAttempt } from './webhook.ts';

const LOG_LOOK_MS = 3_000;
const PAGE_LOOK_MS = 2_000;

type ListedDelivery = Omit<Delivery, 'attempts' | 'body'>;

const describeColumns = (): TableShape<ListedDelivery>['columns'] => [
  {
    title: WEBHOOK_WORDS.attempts,
    cell: ({ attemptCount, nextAttemptAt }) => (
      <>
        {attemptCount}
        <NextAttempt at={nextAttemptAt} />
      </>
    ),
  },
  { title: TEXTS.when, cell: ({ createdAt }) => <Time at={createdAt} /> },
];

/** A delivery of a channel has reached the provider, not yet the contact. */
export function nameMessageStatus({ status, direction }: Pick<Delivery, 'status' | 'direction'>) {
  const { statuses, statusReceived } = CHANNEL_WORDS;
  return direction === 'in' && status === 'delivered' ? statusReceived : statuses[status];
}

interface LogProps {
  service?: string;
  isChannel?: boolean;
}

export function DeliveryLog({ service = '', isChannel = false }: LogProps) {
  const words = CHANNEL_WORDS;
  const statuses = isChannel ? words.statuses : TEXTS.deliveryStatuses;
  const place = isChannel ? ['channels', service] : ['webhooks', 'deliveries'];
  const event = {
    title: isChannel ? words.message : TEXTS.event,
    cell: ({ id, event: name, direction }: ListedDelivery) => (
      <a href={formatHref(...place, id)}>
        {direction === 'in' ? words.received : isChannel ? words.sent : name}
      </a>
    ),
  };
  const status = {
    title: TEXTS.status,
    cell: (one: ListedDelivery) => (
      <span class={`badge ${one.status}`}>
        {isChannel ? nameMessageStatus(one) : TEXTS.deliveryStatuses[one.status]}
      </span>
    ),
  };
  return (
    <Log
      empty={isChannel ? words.noMessages : WEBHOOK_WORDS.noDeliveries}
      columns={[event, status, ...describeColumns()]}
      statuses={Object.entries(statuses).map(([value, text]) => ({ value, text }))}
      {...(isChannel ? {} : { search: { label: TEXTS.event, placeholder: 'message.create.bot.chat' } })}
      useItems={(filter, event) =>
        useQuery('GET /deliveries', {
          query: { service: service || undefined, ...filter, event },
          everyMs: LOG_LOOK_MS,
        })
      }
    />
  );
}

export function DeliveryPage({ id }: { id: string }) {
  const path = { id };
  const query = useQuery('GET /deliveries/{id}', { path, everyMs: PAGE_LOOK_MS });
  const isChannel = useIsChannel(query.value?.service);
  const action = useAction();
  if (!query.value) return <Pending query={query} />;
  const { event, status, attempts, body, entry, direction } = query.value;
  const title = direction === 'in' ? CHANNEL_WORDS.received : event;
  const retry = () =>
    action.run(async () => query.replace(await client.call('POST /deliveries/{id}/retry', { path })));
  return (
    <section>
      <header class="head">
        <h1>{title}</h1>
        <span class={`badge ${status}`}>{TEXTS.deliveryStatuses[status]}</span>
        <SendAgain
          delivery={query.value}
          isChannel={isChannel}
          disabled={action.isRunning || isChannel === undefined}
          retry={retry}
        />
      </header>
      <Problem error={action.error} />
      <Links delivery={query.value} isChannel={isChannel === true} />
      <h2>{WEBHOOK_WORDS.attempts}</h2>
      <ol class="attempts">
        {attempts.map((attempt) => (
          <AttemptRow key={attempt.at} attempt={attempt} />
        ))}
      </ol>
      <h2>{WEBHOOK_WORDS.request}</h2>
      <pre tabIndex={0}>{JSON.stringify(entry ?? body, null, 2)}</pre>
    </section>
  );
}

interface SendAgainProps {
  delivery: Delivery;
  isChannel: boolean | undefined;
  disabled: boolean;
  retry: () => Promise<unknown>;
}

/** A webhook ignores a second delivery, a contact does not. */
function SendAgain({ delivery: { status, direction }, isChannel, disabled, retry }: SendAgainProps) {
  const word = WEBHOOK_WORDS.sendAgain;
  if (!isChannel || direction === 'in' || status !== 'delivered')
    return <Button word={word} class="main" disabled={disabled} press={retry} />;
  return (
    <ConfirmButton word={word} disabled={disabled} act={retry}>
      <p>{CHANNEL_WORDS.sendTwice}</p>
    </ConfirmButton>
  );
}

/** Undefined until the service is loaded. A service that cannot be loaded counts as a channel. */
function useIsChannel(id: string | undefined): boolean | undefined {
  const { value, error } = useQuery(id ? 'GET /services/{id}' : null, { path: { id: id ?? '' } });
  return value ? value.touchpoint !== undefined : error && true;
}

interface LinksProps {
  delivery: Delivery;
  isChannel: boolean;
}

function Links({ delivery: { service, conversation, nextAttemptAt }, isChannel }: LinksProps) {
  return (
    <p>
      {isChannel ? (
        <a href={formatHref('channels', service)}>{CHANNEL_WORDS.one}</a>
      ) : (
        <a href={formatHref('webhooks', 'services', service)}>{WEBHOOK_WORDS.service}</a>
      )}
      {conversation ? (
        <>
          {' · '}
          <a href={formatHref('inbox', 'all', conversation)}>{INBOX_WORDS.conversation}</a>
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
      {WEBHOOK_WORDS.next} <Time at={at} />
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
          <summary>{WEBHOOK_WORDS.answer}</summary>
          <pre tabIndex={0}>{response}</pre>
        </details>
      ) : null}
      {reply ? <p>{reply}</p> : null}
    </li>
  );
}
