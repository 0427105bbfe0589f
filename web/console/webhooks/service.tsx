import { Loading, Problem } from '../parts/notices.tsx';
import { Time } from '../parts/time.tsx';
import { buildQuery, api } from '../request.ts';
import { TEXTS } from '../texts.ts';
import { useQuery } from '../use-query.ts';
import { DeliveryTable } from './deliveries.tsx';
import { describeHealth, describeOutcome } from './webhook.ts';
import type { Delivery, WebhookService, DeliveryAttempt } from './webhook.ts';
import { useState } from 'preact/hooks';
import { useAction } from '../use-action.ts';
import { ServiceDialog } from './service-dialogs.tsx';
import type { DialogName } from './service-dialogs.tsx';

const LOOK_MS = 3_000;

export function ServicePage({ id }: { id: string }) {
  const {
    value: service,
    error,
    again,
    replace,
  } = useQuery<WebhookService>(`/services/${id}`, { everyMs: LOOK_MS });
  if (!service) return error ? <Problem error={error} again={again} /> : <Loading />;
  const health = describeHealth(service);
  return (
    <section>
      <header class="head">
        <h1>{service.name}</h1>
        <span class={`badge ${health.kind}`}>{health.words}</span>
      </header>
      <dl class="pairs">
        <div>
          <dt>{TEXTS.webhooks.url}</dt>
          <dd>{service.params.url}</dd>
        </div>
        <div>
          <dt>{TEXTS.webhooks.events}</dt>
          <dd>{service.params.events?.join(', ') ?? TEXTS.webhooks.allEvents}</dd>
        </div>
        {service.verifiedAt ? (
          <div>
            <dt>{TEXTS.webhooks.verified}</dt>
            <dd>
              <Time at={service.verifiedAt} />
            </dd>
          </div>
        ) : null}
      </dl>
      <LastError service={id} />
      <ServiceCommands service={service} changed={replace} />
      <h2>{TEXTS.webhooks.deliveries}</h2>
      <DeliveryTable service={id} />
    </section>
  );
}

/** Error of the newest delivery that was not delivered. */
function LastError({ service }: { service: string }) {
  const newest = buildQuery({ service, status: '[pending,failed]', sort: '-createdAt', limit: 1 });
  const { value: [delivery] = [] } = useQuery<Delivery[]>(`/deliveries${newest}`, { everyMs: LOOK_MS });
  const { value } = useQuery<Delivery>(
    delivery && delivery.attemptCount > 0 ? `/deliveries/${delivery.id}` : null,
  );
  const attempt = value?.attempts?.at(-1);
  if (!attempt || attempt.outcome === 'delivered') return null;
  return (
    <p class="problem">
      {TEXTS.webhooks.lastError} {describeOutcome(attempt)} <Time at={attempt.at} />
    </p>
  );
}

interface Props {
  service: WebhookService;
  changed: (service: WebhookService) => void;
}

function ServiceCommands({ service, changed }: Props) {
  const action = useAction();
  const [open, setOpen] = useState<DialogName>();
  const [sample, setSample] = useState<DeliveryAttempt>();
  const at = `/services/${service.id}`;
  const change = async (patch: object) =>
    changed((await api<WebhookService>('PATCH', at, { body: patch })).body);
  const verify = () =>
    action.run(async () => changed((await api<WebhookService>('POST', `${at}/verify`)).body));
  const test = () =>
    action.run(async () => setSample((await api<DeliveryAttempt>('POST', `${at}/test`)).body));
  const isPaused = service.status === 'disabled';
  const words = TEXTS.webhooks;
  const commands: readonly (readonly [string, () => unknown])[] = [
    [words.test, test],
    [words.verify, verify],
    [
      isPaused ? words.resume : words.pause,
      () => action.run(() => change({ status: isPaused ? 'active' : 'disabled' })),
    ],
    [words.replay, () => setOpen('replay')],
    [words.rotate, () => setOpen('rotate')],
    [words.showSecret, () => setOpen('secret')],
    [TEXTS.edit, () => setOpen('edit')],
    [TEXTS.delete, () => setOpen('delete')],
  ];
  return (
    <div class="commands" role="group" aria-label={words.commands}>
      {commands.map(([word, press]) => (
        <button key={word} type="button" disabled={action.isRunning} onClick={() => void press()}>
          {word}
        </button>
      ))}
      <Problem error={action.error} />
      {sample ? <Sample attempt={sample} /> : null}
      {open ? (
        <ServiceDialog name={open} service={service} change={change} close={() => setOpen(undefined)} />
      ) : null}
    </div>
  );
}

function Sample({ attempt }: { attempt: DeliveryAttempt }) {
  return (
    <p role="status" class={attempt.outcome === 'delivered' ? 'good' : 'problem'}>
      {TEXTS.webhooks.sample} {describeOutcome(attempt)} · {Math.round(attempt.durationMs)} ms
    </p>
  );
}
