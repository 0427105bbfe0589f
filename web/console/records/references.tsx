import { Button } from '../parts/button.tsx';
import { ChoicesField, SelectField } from '../parts/fields.tsx';
import { Problem } from '../parts/notices.tsx';
import { client } from '../session.ts';
import { TEXTS } from '../texts.ts';
import { useAction } from '../use-action.ts';
import { useQuery } from '../use-query.ts';
import { KIND_WORDS } from './texts.ts';

interface ReferenceProps {
  label: string;
  of: 'organizations' | 'users' | 'forms';
  value: string;
  set: (id: string) => void;
  hint?: string | undefined;
  path: string;
}

export function useNamed(of: ReferenceProps['of']): readonly { id: string; name: string }[] {
  return useNamedQuery(of).value ?? [];
}

function useNamedQuery(of: ReferenceProps['of']) {
  const query = { select: 'name', sort: 'name', limit: 1000 };
  return useQuery(`GET /${of}` as const, { query });
}

export function ReferenceField({ of, ...field }: ReferenceProps) {
  const { value: records = [], again } = useNamedQuery(of);
  const options = records.map(({ id, name }) => ({ value: id, text: name }));
  const choose = (id: string) => {
    again();
    field.set(id);
  };
  return (
    <>
      <SelectField
        {...field}
        options={[{ value: '', text: of === 'forms' ? TEXTS.asAbove : TEXTS.ownOne }, ...options]}
      />
      {of === 'forms' && field.value === '' ? <NewRatingForm choose={choose} /> : null}
    </>
  );
}

/** Makes a form with the keys that the rating of a conversation needs (spec 10.11). */
function NewRatingForm({ choose }: { choose: (id: string) => void }) {
  const { run, isRunning, error } = useAction();
  const words = KIND_WORDS.ratingForm;
  const fields = [
    { name: words.rating, key: 'rating' },
    { name: words.comment, key: 'comment' },
  ];
  const make = () =>
    run(async () => choose((await client.call('POST /forms', { body: { name: words.name, fields } })).id));
  return (
    <>
      <Button word={words.make} press={make} disabled={isRunning} />
      <Problem error={error} />
    </>
  );
}

/**
 * `value` has one line per chosen record, which begins with the record's id. A channel member's
 * line may also have the online flag (kinds.ts).
 */
export function ReferencesField({ label, of, value, set, path }: ReferenceProps) {
  const options = useNamed(of).map(({ id, name }) => ({ value: id, text: name }));
  const lines = value.split('\n').filter(Boolean);
  const toggle = (id: string, isChosen: boolean) => {
    const others = lines.filter((line) => !line.startsWith(id));
    set((isChosen ? [...lines, id] : others).join('\n'));
  };
  return (
    <ChoicesField
      label={label}
      path={path}
      options={options}
      chosen={(id) => lines.some((line) => line.startsWith(id))}
      toggle={toggle}
    />
  );
}
