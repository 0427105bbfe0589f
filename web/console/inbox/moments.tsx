import { useState } from 'preact/hooks';
import { SelectField, TextField } from '../parts/fields.tsx';
import { ActionForm, useFields } from '../parts/form.tsx';
import { INBOX_WORDS } from './texts.ts';

const HOUR_MS = 3_600_000;
const MORNING = 9;
const EVENING = 18;

interface MomentFormProps {
  word: string;
  label: string;
  hint?: string;
  /** Gets ISO 8601 UTC. */
  submit: (at: string) => Promise<unknown>;
}

/** A form for a time: a suggested time, or any other. */
export function MomentForm({ word, label, hint, submit }: MomentFormProps) {
  const words = INBOX_WORDS;
  const [times] = useState(() => suggestTimes(new Date()));
  const { values, bind } = useFields({ until: times[0]?.value ?? '', date: '' });
  const isPicked = values.until === '';
  return (
    <ActionForm
      word={word}
      field={isPicked ? 'date' : 'until'}
      submit={() => submit(isPicked ? new Date(values.date).toISOString() : values.until)}
    >
      <SelectField
        label={label}
        hint={hint}
        {...bind('until')}
        options={[...times, { value: '', text: words.pickDate }]}
      />
      {isPicked ? <TextField label={words.date} type="datetime-local" required {...bind('date')} /> : null}
    </ActionForm>
  );
}

/** Times in the time zone of the browser. */
function suggestTimes(now: Date): { value: string; text: string }[] {
  const at = (days: number, hour: number) =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour).toISOString();
  const evening = { value: at(0, EVENING), text: INBOX_WORDS.thisEvening };
  return [
    { value: new Date(now.getTime() + HOUR_MS).toISOString(), text: INBOX_WORDS.inAnHour },
    ...(now.getHours() < EVENING - 1 ? [evening] : []),
    { value: at(1, MORNING), text: INBOX_WORDS.tomorrow },
  ];
}
