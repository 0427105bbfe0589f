import { useState } from 'preact/hooks';
import { SearchField, SelectField } from '../parts/fields.tsx';
import { Empty, Loading, Problem } from '../parts/notices.tsx';
import { Time } from '../parts/time.tsx';
import { buildQuery } from '../request.ts';
import { formatHref } from '../route.ts';
import { TEXTS } from '../texts.ts';
import { useQuery } from '../use-asked.ts';
import type { BusinessEvent } from './event.ts';

const LOOK_MS = 3_000;
const PAGE = 50;
const STATUSES = ['', 'received', 'processed', 'ignored', 'failed', 'unrouted'];

/** Every event that came in, newest first. */
export function EventLog() {
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
