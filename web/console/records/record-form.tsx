import { useEffect, useState } from 'preact/hooks';
import { SelectField, TextField } from '../parts/fields.tsx';
import { Form, FormProblem } from '../parts/form.tsx';
import { api } from '../request.ts';
import { TEXTS } from '../texts.ts';
import { useAction } from '../use-action.ts';
import { buildBody, toFormValues } from './kinds.ts';
import type { EditableKind, RecordField, StoredRecord, FormValues } from './kinds.ts';
import { ReferenceField, ReferencesField } from './references.tsx';

const LONG_ROWS = 8;
const JSON_ROWS = 4;
const TYPES = { text: 'text', email: 'email', url: 'url', password: 'password' } as const;

interface Props {
  kind: EditableKind;
  /** Without one a new record is made. */
  record?: StoredRecord;
  saved: (record: StoredRecord) => void;
}

/** Makes or changes a record: only what was changed is sent. */
export function RecordForm({ kind, record, saved }: Props) {
  const { before, values, setValues } = useValues(kind, record);
  const action = useAction();
  const fields = kind.fields.filter(
    ({ only }) => only === undefined || only === (record ? 'change' : 'create'),
  );
  const save = () =>
    action.run(async () => {
      const body = buildBody(kind, values, before);
      const given = record ? body : withoutNull(body);
      const path = record ? `/${kind.path}/${record.id}` : `/${kind.path}`;
      saved((await api<StoredRecord>(record ? 'PATCH' : 'POST', path, { body: given })).body);
    });
  return (
    <Form error={action.error} submit={save}>
      {fields.map((field) => (
        <Control
          key={field.name}
          field={field}
          value={values[field.name] ?? ''}
          set={(value) => setValues({ ...values, [field.name]: value })}
        />
      ))}
      <FormProblem />
      <button type="submit" class="main" disabled={action.isRunning}>
        {TEXTS.save}
      </button>
    </Form>
  );
}

/** What is written. Where the record changes beside the form, what was not written anew follows. */
function useValues(kind: EditableKind, record: StoredRecord | undefined) {
  const [before, setBefore] = useState<FormValues>(() => (record ? toFormValues(kind, record) : {}));
  const [values, setValues] = useState(() => toFormValues(kind, record));
  useEffect(() => {
    if (!record) return;
    const next = toFormValues(kind, record);
    const isKept = (name: string) => values[name] !== before[name];
    const follow = ([name, value]: [string, string]) => [name, isKept(name) ? (values[name] ?? '') : value];
    setValues(Object.fromEntries(Object.entries(next).map(follow)) as FormValues);
    setBefore(next);
  }, [record]);
  return { before, values, setValues };
}

interface ControlProps {
  field: RecordField;
  value: string;
  set: (value: string) => void;
}

function Control({ field, value, set }: ControlProps) {
  const { name, type, options = [], required = false, hint, of = 'organizations' } = field;
  const label = TEXTS.fields[name] ?? name;
  const shared = { label, value, set, hint, path: name };
  if (type === 'reference') return <ReferenceField {...shared} of={of} />;
  if (type === 'references' || type === 'members') return <ReferencesField {...shared} of={of} />;
  if (type === 'select') {
    const none = required ? [] : [{ value: '', text: '–' }];
    const choices = options.map((option) => ({ value: option, text: option }));
    return <SelectField {...shared} options={[...none, ...choices]} />;
  }
  const rows = { long: LONG_ROWS, lines: JSON_ROWS, json: JSON_ROWS }[type as string];
  if (rows !== undefined) return <TextField {...shared} rows={rows} />;
  return (
    <TextField
      {...shared}
      required={required}
      type={TYPES[type as keyof typeof TYPES]}
      {...(type === 'password' ? { autocomplete: 'new-password' } : {})}
    />
  );
}

function withoutNull(body: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}
