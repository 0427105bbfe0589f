import { Button } from './parts/button.tsx';
import { FIRST_PASSWORD } from './session.ts';
import type { Session } from './session.ts';
import { TEXTS } from './texts.ts';
import { useQuery } from './use-query.ts';
import { useDismissed } from './use-action.ts';

/** User and organization that the first start creates (spec 12.4). */
export const NEWCOMER = 'newcomer@parlance.local';
const FIRST_STEPS = 'First steps';

export function NewcomerHint({ session, leave }: { session: Session; leave: () => void }) {
  const [isDismissed, dismiss] = useDismissed('newcomer');
  const mayBe = !isDismissed && session.scope === 'agent' && session.organization.name === FIRST_STEPS;
  const { value: me } = useQuery(mayBe ? 'GET /users/me' : null);
  if (me?.email !== NEWCOMER) return null;
  const words = TEXTS.newcomer;
  return (
    <aside class="newcomer" aria-label={words.title}>
      <p>
        {words.what} {FIRST_PASSWORD ? words.first : words.later}{' '}
        {FIRST_PASSWORD ? (
          <>
            <code>{FIRST_PASSWORD.email}</code>, {words.passwordIn} <code>{FIRST_PASSWORD.file}</code>.
          </>
        ) : null}
      </p>
      <Button word={words.become} press={leave} />
      <Button word="✕" class="quiet" aria-label={TEXTS.close} press={dismiss} />
    </aside>
  );
}
