import { Button } from '../parts/button.tsx';
import { Problem } from '../parts/notices.tsx';
import { formatHref } from '../route.ts';
import { client } from '../session.ts';
import { useAction } from '../use-action.ts';
import { WORDS } from './texts.ts';
import type { Surroundings } from './use-surroundings.ts';

/** Reminds the agents. A message to the contact would be sent before an admin has read it. */
const FIRST_EXPRESSION = `{
  "conversation": conversation,
  "messages": [
    { "text": "Since " & since & " (timer " & timer & ").", "role": "bot", "isBackchannel": true },
    { "type": "command", "text": "/notify" }
  ]
}`;

interface Props {
  name: string;
  around: Surroundings;
  /** Opens the event type in another tab, because a form has unsaved values. */
  isInForm?: boolean;
}

/** Shows whether an event type decides what a timer posts, and creates the event type. */
export function EventTypeHint({ name, around, isInForm = false }: Props) {
  const { types, organization, isLoaded, seesAll, loadTypes } = around;
  const action = useAction();
  if (!isLoaded) return null;
  const type = types.find((one) => one.name === name);
  const body = { name, organization, jsonata: FIRST_EXPRESSION };
  const create = () => action.run(() => client.call('POST /eventtypes', { body }).then(loadTypes));
  return (
    <div class="hint event-type" aria-live="polite">
      {type ? (
        <>
          {WORDS.typed}{' '}
          <a href={formatHref('events', 'types', type.id)} target={isInForm ? '_blank' : undefined}>
            {WORDS.openType}
          </a>
        </>
      ) : (
        <>
          {seesAll ? WORDS.untyped : WORDS.untypedHere}{' '}
          <Button word={WORDS.createType} disabled={action.isRunning} press={create} />
        </>
      )}
      <Problem error={action.error} />
    </div>
  );
}
