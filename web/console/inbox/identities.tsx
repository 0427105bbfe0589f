import type { Contact } from '@parlance/client';
import { Time } from '../parts/time.tsx';
import { nameTouchpoint, INBOX_WORDS } from './texts.ts';

/** Addresses of the contact on channels (spec 15.1). */
export function IdentityList({ of }: { of: NonNullable<Contact['identities']> }) {
  const words = INBOX_WORDS;
  return (
    <ul class="identities">
      {of.map(({ service, touchpoint, id, name, since, optedOutAt, unreachableAt }) => (
        <li key={`${service} ${id}`}>
          {nameTouchpoint(touchpoint)} <bdi>{id}</bdi> {name === undefined ? null : <bdi>{name}</bdi>}{' '}
          {optedOutAt === undefined ? null : <span class="badge failed">{words.optedOut}</span>}{' '}
          {unreachableAt === undefined ? null : <span class="badge failed">{words.notReachable}</span>}{' '}
          <span class="hint">
            <Time at={unreachableAt ?? optedOutAt ?? since} />
          </span>
        </li>
      ))}
    </ul>
  );
}
