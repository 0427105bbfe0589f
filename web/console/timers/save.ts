import { ParlanceError } from '@parlance/client';
import type { AnswerTo } from '@parlance/client';
import { changeLatest } from '../change-latest.ts';
import { client } from '../session.ts';
import type { Timer } from './sentence.ts';
import { WORDS } from './texts.ts';

interface TimerChange {
  organization: string;
  /** The timer as the user saw it. Absent for a new timer. */
  before?: Timer | undefined;
  /** Absent to remove the timer. */
  after?: Timer | undefined;
}

/**
 * Replaces one timer in the newest list of the organization, and keeps the others. Repeats the
 * change if the organization has changed since. Throws ParlanceError with paths in the timer.
 */
export async function changeTimer({
  organization,
  before,
  after,
}: TimerChange): Promise<AnswerTo<'PATCH /organizations/{id}'>> {
  const path = { id: organization };
  return changeLatest({
    read: () => client.callWithResponse('GET /organizations/{id}', { path }),
    change({ timers }) {
      const at = findPlace(timers, before, after);
      if (at === undefined) return undefined;
      return { at, timers: [...timers.slice(0, at), ...(after ? [after] : []), ...timers.slice(at + 1)] };
    },
    write: ({ at, timers }, headers) =>
      client
        .call('PATCH /organizations/{id}', { path, body: { timers }, headers })
        .catch((error: unknown) => {
          throw belowTimer(error, at);
        }),
  });
}

/** Returns undefined if the list has the change already. Throws if the timer was changed. */
function findPlace(
  timers: readonly Timer[],
  before: Timer | undefined,
  after: Timer | undefined,
): number | undefined {
  const has = (timer: Timer) => timers.findIndex((one) => isSame(one, timer));
  const at = before ? has(before) : timers.length;
  const isDone = after ? has(after) >= 0 : at < 0 && !timers.some(({ name }) => name === before?.name);
  if (isDone) return undefined;
  if (at < 0) throw new ParlanceError(WORDS.conflict, { status: 412, code: 'precondition_failed' });
  return at;
}

function isSame(one: Timer, other: Timer): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Makes of the path `timers.3.after` the path `after`, in the words of the form. */
function belowTimer(error: unknown, at: number): unknown {
  if (!(error instanceof ParlanceError)) return error;
  const { status, code, message } = error;
  const details = error.details.map(({ path, message: words }) => {
    const below = path.replace(`timers.${at}.`, '');
    const kind = below.replace(/\.\d+\./, '.');
    return { path: below, message: WORDS.refusals[kind] ?? words };
  });
  return new ParlanceError(message, { status, code, details });
}
