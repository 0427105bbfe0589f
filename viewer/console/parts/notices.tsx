import type { ComponentChildren } from 'preact';
import { Refused } from '../request.ts';
import { TEXTS } from '../texts.ts';
import { JsonFault } from './json-fault.ts';

/** What went wrong, in the API's words, field by field. */
export function Problem({ error, again }: { error: Error | undefined; again?: () => void }) {
  if (!error) return null;
  const details = error instanceof Refused ? error.details : [];
  return (
    <div class="problem" role="alert">
      {isSaidByDetails(error) ? null : <p>{wordsOf(error)}</p>}
      {details.length > 0 ? (
        <ul>
          {details.map(({ path, message }) => (
            <li key={path}>
              <code>{path}</code> {message}
            </li>
          ))}
        </ul>
      ) : null}
      {again ? (
        <button type="button" onClick={again}>
          {TEXTS.again}
        </button>
      ) : null}
    </div>
  );
}

/** Says that something is on its way, to readers of screens too. */
export function Loading() {
  return (
    <p class="loading" role="status">
      {TEXTS.loading}
    </p>
  );
}

/** Says that what is shown may be old: nobody answers right now, and it is tried again. */
export function Behind() {
  return (
    <p class="offline" role="status">
      {TEXTS.reconnecting}
    </p>
  );
}

/** What stands where a list has nothing. */
export function Empty({ children }: { children: ComponentChildren }) {
  return <p class="empty">{children}</p>;
}

/** The message of an invalid request begins with its details: they are said once. */
function isSaidByDetails(error: Error): boolean {
  if (!(error instanceof Refused)) return false;
  return error.details.some(({ path, message }) => error.message.includes(`${path}: ${message}`));
}

function wordsOf(error: Error): string {
  if (error instanceof JsonFault) return error.message;
  if (!(error instanceof Refused)) return TEXTS.errors.unexpected;
  if (error.status === 429) return `${TEXTS.errors.busy} ${error.message}`;
  if (error.status === 401) return TEXTS.errors.signedOut;
  return error.message;
}
