import { ChoicesField, SelectField } from '../parts/fields.tsx';
import { TEXTS } from '../texts.ts';
import { useQuery } from '../use-query.ts';

interface ReferenceProps {
  label: string;
  of: 'organizations' | 'users' | 'forms';
  value: string;
  set: (id: string) => void;
  hint?: string | undefined;
  path: string;
}

export function useNamed(of: ReferenceProps['of']): readonly { id: string; name: string }[] {
  const query = { select: 'name', sort: 'name', limit: 1000 };
  return useQuery(`GET /${of}` as const, { query }).value ?? [];
}

export function ReferenceField({ of, ...field }: ReferenceProps) {
  const options = useNamed(of).map(({ id, name }) => ({ value: id, text: name }));
  return (
    <SelectField
      {...field}
      options={[{ value: '', text: of === 'forms' ? TEXTS.asAbove : TEXTS.ownOne }, ...options]}
    />
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
