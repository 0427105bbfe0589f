import { useState } from 'preact/hooks';
import { Empty, Loading, Problem } from '../parts/notices.tsx';
import { formatHref } from '../route.ts';
import { TEXTS } from '../texts.ts';
import { useQuery } from '../use-asked.ts';
import { NewWebhook } from './new-webhook.tsx';
import { describeHealth } from './webhook.ts';
import type { WebhookService } from './webhook.ts';

const LOOK_MS = 5_000;

/** Every webhook with how it does. */
export function Services() {
  const { value, error, again } = useQuery<WebhookService[]>('/services?limit=1000', { everyMs: LOOK_MS });
  const [isNew, setNew] = useState(false);
  return (
    <section>
      <header class="head">
        <h1>{TEXTS.webhooks.services}</h1>
        <button type="button" class="main" onClick={() => setNew(true)}>
          {TEXTS.webhooks.add}
        </button>
      </header>
      <Problem error={error} again={again} />
      {value ? <Table services={value} /> : error ? null : <Loading />}
      {isNew ? <NewWebhook close={() => setNew(false)} /> : null}
    </section>
  );
}

function Table({ services }: { services: readonly WebhookService[] }) {
  if (services.length === 0) return <Empty>{TEXTS.webhooks.none}</Empty>;
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{TEXTS.name}</th>
          <th scope="col">{TEXTS.webhooks.url}</th>
          <th scope="col">{TEXTS.webhooks.events}</th>
          <th scope="col">{TEXTS.webhooks.health}</th>
        </tr>
      </thead>
      <tbody>
        {services.map((service) => {
          const health = describeHealth(service);
          return (
            <tr key={service.id}>
              <th scope="row">
                <a href={formatHref('webhooks', 'services', service.id)}>{service.name}</a>
              </th>
              <td class="wide">{readHost(service.params.url)}</td>
              <td>{service.params.events?.join(', ') ?? TEXTS.webhooks.allEvents}</td>
              <td>
                <span class={`badge ${health.kind}`}>{health.words}</span>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function readHost(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
