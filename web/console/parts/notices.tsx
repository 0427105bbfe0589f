import type { ComponentChildren } from 'preact';
import { ApiError, getDetails } from './refusals.ts';
import { TEXTS } from '../texts.ts';
import { JsonFault } from './written-json.ts';

interface ProblemProps {
  error: Error | undefined;
  again?: () => void;
  /** Whether a field shows the error at this path. */
  isElsewhere?: (path: string) => boolean;
}

export function Problem({ error, again, isElsewhere = () => false }: ProblemProps) {
  if (!error) return null;
  const details = error instanceof ApiError ? error.details : [];
  const left = details.filter(({ path }) => !isElsewhere(path));
  const isShown = getDetails(error).some(({ path }) => isElsewhere(path));
  if (isShown && left.length === 0) return null;
  return (
    <div class="problem" role="alert">
      {isShown || isCoveredByDetails(error) ? null : <p>{describeError(error)}</p>}
      {left.length > 0 ? (
        <ul>
          {left.map(({ path, message }) => (
            <li key={path}>
              {TEXTS.fields[path] ?? <code>{path}</code>}: {message}
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

/** Also announced to screen readers. */
export function Loading() {
  return (
    <p class="loading" role="status">
      {TEXTS.loading}
    </p>
  );
}

/** The server is unreachable, and the content may be outdated. */
export function Behind() {
  return (
    <p class="offline" role="status">
      {TEXTS.reconnecting}
    </p>
  );
}

export function Empty({ children }: { children: ComponentChildren }) {
  return <p class="empty">{children}</p>;
}

/** The message of an invalid request repeats its details. */
function isCoveredByDetails(error: Error): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.details.some(({ path, message }) => error.message.includes(`${path}: ${message}`));
}

function describeError(error: Error): string {
  if (error instanceof JsonFault) return error.message;
  if (!(error instanceof ApiError)) return TEXTS.errors.unexpected;
  if (error.status === 429) return `${TEXTS.errors.busy} ${error.message}`;
  if (error.status === 401) return TEXTS.errors.signedOut;
  return error.message;
}
