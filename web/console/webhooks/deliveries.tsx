import { useState } from 'preact/hooks';
import { SearchField, SelectField } from '../parts/fields.tsx';
import { Empty, Loading, Problem } from '../parts/notices.tsx';
import { Time } from '../parts/time.tsx';
import { buildQuery } from '../request.ts';
import { formatHref } from '../route.ts';
import { TEXTS } from '../texts.ts';
import { useQuery } from '../use-query.ts';
import type { Delivery } from './webhook.ts';

const LOOK_MS = 3_000;
const PAGE = 50;
const STATUSES = ['', 'pending', 'delivered', 'failed', 'skipped'];

export function Deliveries() {
  return (
    <section>
      <h1>{TEXTS.webhooks.deliveries}</h1>
      <DeliveryTable />
    </section>
  );
}

export function DeliveryTable({ service }: { service?: string }) {
  const [status, setStatus] = useState('');
  const [event, setEvent] = useState('');
  const [count, setCount] = useState(PAGE);
  const asked = buildQuery({ service, status, event, sort: '-createdAt', limit: count });
  const { value, error, again } = useQuery<Delivery[]>(`/deliveries${asked}`, { everyMs: LOOK_MS });
  return (
    <>
      <div class="filters">
        <SelectField
          label={TEXTS.status}
          value={status}
          set={setStatus}
          options={STATUSES.map((one) => ({
            value: one,
            text: one === '' ? TEXTS.all : (TEXTS.deliveryStatuses[one] ?? one),
          }))}
        />
        <SearchField label={TEXTS.event} placeholder="message.create.bot.chat" set={setEvent} />
      </div>
      <Problem error={error} again={again} />
      {value ? <Rows deliveries={value} /> : error ? null : <Loading />}
      {value?.length === count ? (
        <button type="button" onClick={() => setCount(count + PAGE)}>
          {TEXTS.more}
        </button>
      ) : null}
    </>
  );
}

function Rows({ deliveries }: { deliveries: readonly Delivery[] }) {
  if (deliveries.length === 0) return <Empty>{TEXTS.webhooks.noDeliveries}</Empty>;
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{TEXTS.event}</th>
          <th scope="col">{TEXTS.status}</th>
          <th scope="col">{TEXTS.webhooks.attempts}</th>
          <th scope="col">{TEXTS.when}</th>
        </tr>
      </thead>
      <tbody>
        {deliveries.map(({ id, event, status, attemptCount, createdAt, nextAttemptAt }) => (
          <tr key={id}>
            <th scope="row">
              <a href={formatHref('webhooks', 'deliveries', id)}>{event}</a>
            </th>
            <td>
              <span class={`badge ${status}`}>{TEXTS.deliveryStatuses[status]}</span>
            </td>
            <td>
              {attemptCount}
              {nextAttemptAt ? (
                <>
                  {' · '}
                  {TEXTS.webhooks.next} <Time at={nextAttemptAt} />
                </>
              ) : null}
            </td>
            <td>
              <Time at={createdAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
