import { useId } from 'preact/hooks';
import { FieldProblem, SelectField } from '../parts/fields.tsx';
import { useFieldProblem } from '../parts/form.tsx';
import { TEXTS } from '../texts.ts';
import { useQuery } from '../use-query.ts';

interface ReferenceProps {
  label: string;
  of: 'organizations' | 'users';
  value: string;
  set: (id: string) => void;
  hint?: string | undefined;
  path: string;
}

function useNamed(of: ReferenceProps['of']): readonly { id: string; name: string }[] {
  const query = { select: 'name', sort: 'name', limit: 1000 };
  return useQuery(`GET /${of}` as const, { query }).value ?? [];
}

export function ReferenceField({ of, ...field }: ReferenceProps) {
  const options = useNamed(of).map(({ id, name }) => ({ value: id, text: name }));
  return <SelectField {...field} options={[{ value: '', text: TEXTS.ownOne }, ...options]} />;
}

/**
 * `value` has one line per chosen record, which begins with the record's id. A channel member's
 * line may also have the online flag (kinds.ts).
 */
export function ReferencesField({ label, of, value, set, path }: ReferenceProps) {
  const id = useId();
  const problem = useFieldProblem(path);
  const named = useNamed(of);
  const lines = value.split('\n').filter(Boolean);
  const toggle = (id: string, isChosen: boolean) => {
    const others = lines.filter((line) => !line.startsWith(id));
    set((isChosen ? [...lines, id] : others).join('\n'));
  };
  return (
    <fieldset class="field choices" aria-describedby={problem === '' ? undefined : id}>
      <legend>{label}</legend>
      <FieldProblem id={id} problem={problem} />
      {named.map(({ id, name }) => (
        <label key={id}>
          <input
            type="checkbox"
            aria-invalid={problem === '' ? undefined : 'true'}
            checked={lines.some((line) => line.startsWith(id))}
            onChange={({ currentTarget }) => toggle(id, currentTarget.checked)}
          />{' '}
          {name}
        </label>
      ))}
    </fieldset>
  );
}
