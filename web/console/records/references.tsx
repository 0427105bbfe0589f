import { useId } from 'preact/hooks';
import { FieldProblem, SelectField } from '../parts/fields.tsx';
import { useFieldProblem } from '../parts/form.tsx';
import { TEXTS } from '../texts.ts';
import { useQuery } from '../use-query.ts';
import type { ReferredResource } from './kinds.ts';

interface Named {
  id: string;
  name: string;
}

function useNamed(of: ReferredResource): readonly Named[] {
  return useQuery<Named[]>(`/${of}?select=name&sort=name&limit=1000`).value ?? [];
}

interface ReferenceProps {
  label: string;
  of: ReferredResource;
  value: string;
  set: (id: string) => void;
  hint?: string | undefined;
  path?: string | undefined;
}

export function ReferenceField({ label, of, value, set, hint, path }: ReferenceProps) {
  const options = useNamed(of).map(({ id, name }) => ({ value: id, text: name }));
  return (
    <SelectField
      label={label}
      value={value}
      set={set}
      hint={hint}
      path={path}
      options={[{ value: '', text: TEXTS.ownOne }, ...options]}
    />
  );
}

interface ReferencesProps extends Omit<ReferenceProps, 'hint'> {
  /** One line per record: the id and further data. */
  value: string;
}

/** Keeps the further data of records that stay selected. */
export function ReferencesField({ label, of, value, set, path }: ReferencesProps) {
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
