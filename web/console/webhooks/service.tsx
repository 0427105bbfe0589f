import { Loading, Problem } from '../parts/notices.tsx';
import { Time } from '../parts/time.tsx';
import { buildQuery } from '../request.ts';
import { TEXTS } from '../texts.ts';
import { useQuery } from '../use-asked.ts';
import { DeliveryTable } from './deliveries.tsx';
import { ServiceCommands } from './service-commands.tsx';
import { describeHealth, describeOutcome } from './webhook.ts';
import type { Delivery, WebhookService } from './webhook.ts';

const LOOK_MS = 3_000;

/** One webhook: how it does, its last error, what can be done, and its deliveries. */
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

/** What the receiver said last of what has not arrived. */
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
