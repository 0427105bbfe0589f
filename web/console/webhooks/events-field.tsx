import { ChoicesField, TextField } from '../parts/fields.tsx';
import { webhooks as WEBHOOK_WORDS } from './texts.ts';
import { parseEvents } from './webhook.ts';

interface Props {
  /** Patterns, separated by lines. */
  value: string;
  set: (value: string) => void;
  path: string;
}

/** Checkboxes for common events, and a text field for all patterns. */
export function EventsField({ value, set, path }: Props) {
  const words = WEBHOOK_WORDS;
  const patterns = parseEvents(value) ?? [];
  const toggle = (pattern: string, isChosen: boolean) => {
    const others = patterns.filter((one) => one !== pattern);
    set((isChosen ? [...others, pattern] : others).join('\n'));
  };
  return (
    <>
      <ChoicesField
        label={words.commonEvents}
        options={Object.entries(words.eventWords).map(([pattern, text]) => ({ value: pattern, text }))}
        chosen={(pattern) => patterns.includes(pattern)}
        toggle={toggle}
      />
      <TextField label={words.events} rows={3} hint={words.eventsHint} path={path} value={value} set={set} />
    </>
  );
}
