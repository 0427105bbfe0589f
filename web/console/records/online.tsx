import { Empty, Problem } from '../parts/notices.tsx';
import { api } from '../request.ts';
import { TEXTS } from '../texts.ts';
import { useAction } from '../use-action.ts';
import { useQuery } from '../use-asked.ts';

interface Channel {
  members: { user: string | { id: string; name: string }; online: boolean }[];
}

const LOOK_MS = 5_000;

/** Who of a channel's members is there now (spec 4.6): they say so of themselves. */
export function WhoIsOnline({ channel, me }: { channel: string; me: string }) {
  const path = `/channels/${channel}?select=members&populate=members.user:name`;
  const { value, error, again } = useQuery<Channel>(path, { everyMs: LOOK_MS });
  const action = useAction();
  const members = (value?.members ?? []).map(({ user, online }) =>
    typeof user === 'string' ? { id: user, name: user, online } : { ...user, online },
  );
  const mine = members.find(({ id }) => id === me);
  const say = (online: boolean) =>
    void action.run(() => api('PUT', `/channels/${channel}/online`, { body: { online } }).then(again));
  return (
    <section aria-label={TEXTS.channels.online}>
      <h2>{TEXTS.channels.online}</h2>
      <Problem error={error ?? action.error} />
      {value && members.length === 0 ? <Empty>{TEXTS.channels.nobody}</Empty> : null}
      <ul class="plain">
        {members.map(({ id, name, online }) => (
          <li key={id}>
            {name}{' '}
            <span class={online ? 'badge active' : 'badge'}>{TEXTS.channels.states[String(online)]}</span>
          </li>
        ))}
      </ul>
      {mine ? (
        <button type="button" disabled={action.isRunning} onClick={() => say(!mine.online)}>
          {mine.online ? TEXTS.channels.leave : TEXTS.channels.enter}
        </button>
      ) : null}
    </section>
  );
}
