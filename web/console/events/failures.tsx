import type { BusinessEvent } from '@parlance/client';
import { Button } from '../parts/button.tsx';
import { Problem } from '../parts/notices.tsx';
import { Time } from '../parts/time.tsx';
import { formatHref } from '../route.ts';
import { client } from '../session.ts';
import { EVENT_WORDS } from './texts.ts';
import { useAction } from '../use-action.ts';
import { useQuery } from '../use-query.ts';

const LATEST = 5;
const LOOK_MS = 5_000;
const SELECT = 'status,error,createdAt';

/** The latest failed events of an event type, with their reasons (spec 8.3). */
export function Failures({ eventtype }: { eventtype: string }) {
  const query = useQuery('GET /events', {
    query: { eventtype, status: 'failed', sort: '-id', limit: LATEST, select: SELECT },
    everyMs: LOOK_MS,
  });
  if (!query.value?.length) return null;
  return (
    <section class="failures" aria-label={EVENT_WORDS.failures}>
      <h2>{EVENT_WORDS.failures}</h2>
      <ul class="plain">
        {query.value.map((event) => (
          <Failure key={event.id} event={event} again={query.again} />
        ))}
      </ul>
    </section>
  );
}

function Failure({
  event: { id, error, createdAt },
  again,
}: {
  event: Pick<BusinessEvent, 'id' | 'error' | 'createdAt'>;
  again: () => void;
}) {
  const action = useAction();
  const retry = async () => {
    await action.run(() => client.call('POST /events/{id}/retry', { path: { id } }));
    again();
  };
  return (
    <li>
      <a href={formatHref('events', 'log', id)}>
        <Time at={createdAt} />
      </a>{' '}
      <span class="reason">{error?.message}</span>{' '}
      <Button word={EVENT_WORDS.retry} disabled={action.isRunning} press={retry} />
      {action.error && action.error.message !== error?.message ? <Problem error={action.error} /> : null}
    </li>
  );
}
