import { useEffect, useState } from 'preact/hooks';
import { Avatar } from './avatar.tsx';
import { visibleName } from './shown-text.ts';
import { TEXTS } from './texts.ts';
import type { Typist } from './types.ts';

/** Nobody types for an hour: a reminder for tomorrow shows only when it is about to come. */
const SOON_MS = 60_000;
const LOOK_MS = 1_000;

/** Shows that somebody is writing something that comes soon. */
export function TypingDots({ typing }: { typing: readonly Typist[] }) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    setNow(Date.now());
    if (typing.length === 0) return;
    const timer = setInterval(() => setNow(Date.now()), LOOK_MS);
    return () => clearInterval(timer);
  }, [typing]);
  // Of a person who is writing now the server says when they stop.
  const someone = typing.find(
    ({ message, until }) => !message || !until || Date.parse(until) - now < SOON_MS,
  );
  if (!someone) return null;
  return (
    <div class="typing" role="status">
      {someone.author ? <Avatar author={someone.author} /> : null}
      <span class="hidden">{describeTypist(someone)}</span>
      <i aria-hidden="true" />
      <i aria-hidden="true" />
      <i aria-hidden="true" />
    </div>
  );
}

function describeTypist({ role, author }: Typist): string {
  const name = visibleName(author);
  if (name !== undefined) return TEXTS.typesNamed(name);
  return role === 'agent' ? TEXTS.agentTypes : TEXTS.botTypes;
}
