import type { ComponentChildren } from 'preact';
import { Button } from '../parts/button.tsx';
import { ChoicesField, FieldProblem, TextField } from '../parts/fields.tsx';
import { useFieldProblem } from '../parts/form.tsx';
import { KIND_WORDS } from './texts.ts';
import { useNamed } from './references.tsx';

/** `value` is the list as JSON. */
interface RowsProps {
  label: string;
  value: string;
  set: (value: string) => void;
  path: string;
}

interface Category {
  name: string;
  forms?: readonly string[];
}

export function CategoriesField(props: RowsProps) {
  const forms = useNamed('forms').map(({ id, name }) => ({ value: id, text: name }));
  return (
    <Rows<Category> {...props} add={KIND_WORDS.rows.addCategory} empty={{ name: '' }}>
      {({ name, forms: chosen = [] }, change, path) => (
        <>
          <TextField
            label={KIND_WORDS.rows.name}
            path={`${path}.name`}
            value={name}
            set={(text) => change({ name: text })}
          />
          {forms.length === 0 ? null : (
            <details class="row-choices">
              <summary>{KIND_WORDS.rows.countForms(chosen.length)}</summary>
              <ChoicesField
                label={KIND_WORDS.rows.forms}
                path={`${path}.forms`}
                options={forms}
                chosen={(id) => chosen.includes(id)}
                toggle={(id, isChosen) =>
                  change({ forms: isChosen ? [...chosen, id] : chosen.filter((one) => one !== id) })
                }
              />
            </details>
          )}
        </>
      )}
    </Rows>
  );
}

interface FormField {
  name: string;
  key: string;
}

export function FormFieldsField(props: RowsProps) {
  return (
    <Rows<FormField> {...props} add={KIND_WORDS.rows.addField} empty={{ name: '', key: '' }}>
      {({ name, key }, change, path) => (
        <>
          <TextField
            label={KIND_WORDS.rows.label}
            path={`${path}.name`}
            value={name}
            // The key follows the label until it is edited.
            set={(text) => change({ name: text, ...(key === toKey(name) && { key: toKey(text) }) })}
          />
          <TextField
            label={KIND_WORDS.rows.key}
            path={`${path}.key`}
            value={key}
            set={(text) => change({ key: text })}
          />
        </>
      )}
    </Rows>
  );
}

/** Returns a key in ASCII, such as `dateOfBirth` for "Date of birth". */
export function toKey(name: string): string {
  const parts = name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean);
  return parts
    .map((part, at) => (at === 0 ? part : `${part.charAt(0).toUpperCase()}${part.slice(1)}`))
    .join('');
}

interface ListProps<R> extends RowsProps {
  add: string;
  empty: R;
  children: (row: R, change: (part: Partial<R>) => void, path: string) => ComponentChildren;
}

function Rows<R extends { name: string }>({ label, value, set, path, add, empty, children }: ListProps<R>) {
  const problem = useFieldProblem(path);
  const rows = value === '' ? [] : (JSON.parse(value) as R[]);
  const replace = (at: number, by: R[]) =>
    set(JSON.stringify([...rows.slice(0, at), ...by, ...rows.slice(at + 1)]));
  return (
    <fieldset class="field rows">
      <legend>{label}</legend>
      <FieldProblem id={`${path}-problem`} problem={problem} />
      {rows.map((row, at) => (
        <div key={at} class="row-of-fields">
          <div class="row-parts">
            {children(row, (part) => replace(at, [{ ...row, ...part }]), `${path}.${at}`)}
          </div>
          <Button
            word="✕"
            class="quiet"
            aria-label={KIND_WORDS.rows.remove(row.name || String(at + 1))}
            press={() => replace(at, [])}
          />
        </div>
      ))}
      <Button word={add} press={() => set(JSON.stringify([...rows, empty]))} />
    </fieldset>
  );
}
