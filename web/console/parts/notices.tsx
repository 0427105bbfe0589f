import { ParlanceError } from '@parlance/client';
import type { ComponentChildren } from 'preact';
import { Button } from './button.tsx';
import { TEXTS } from '../texts.ts';
import type { QueryState } from '../use-query.ts';
import { getDetails, translateError, translateRefusal } from './refusals.ts';
import { JsonFault } from './json-fault.ts';

interface ProblemProps {
  error: Error | undefined;
  again?: (() => void) | undefined;
  /** Whether a field shows the error at this path. */
  isElsewhere?: (path: string) => boolean;
}

export function Problem({ error, again, isElsewhere = () => false }: ProblemProps) {
  if (!error) return null;
  const details = error instanceof ParlanceError ? error.details : [];
  const left = details.filter(({ path }) => !isElsewhere(path));
  const isShown = getDetails(error).some(({ path }) => isElsewhere(path));
  if (isShown && left.length === 0) return null;
  // The message of an invalid request repeats its details.
  const isCovered = details.some(({ path, message }) => error.message.includes(`${path}: ${message}`));
  return (
    <div class="problem" role="alert">
      {isShown || isCovered ? null : <p>{describeError(error)}</p>}
      {left.length > 0 ? (
        <ul>
          {left.map(({ path, message }) => (
            <li key={path}>
              {TEXTS.fields[path] ?? <code>{path}</code>}: {translateRefusal(message)}
            </li>
          ))}
        </ul>
      ) : null}
      {again ? <Button word={TEXTS.again} press={again} /> : null}
    </div>
  );
}

export function Loading() {
  return (
    <p class="loading" role="status">
      {TEXTS.loading}
    </p>
  );
}

export function Pending({
  query: { error, again },
}: {
  query: Partial<Pick<QueryState<unknown>, 'error' | 'again'>>;
}) {
  return error ? <Problem error={error} again={again} /> : <Loading />;
}

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

export function describeError(error: Error): string {
  if (error instanceof JsonFault) return error.message;
  if (!(error instanceof ParlanceError)) return TEXTS.errors.unexpected;
  const { status } = error;
  // A proxy sends 502 and 504.
  if ([0, 502, 504].includes(status)) return TEXTS.errors.unreachable;
  if (status === 429) return `${TEXTS.errors.busy} ${translateError(error)}`;
  return status === 401 ? TEXTS.errors.signedOut : translateError(error);
}
