import { useState, useEffect } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { Confirm, Dialog } from '../parts/dialog.tsx';
import { Empty, Loading, Problem } from '../parts/notices.tsx';
import { shortText } from '../parts/short-text.ts';
import { api } from '../request.ts';
import { goTo, formatHref } from '../route.ts';
import { TEXTS } from '../texts.ts';
import { useQuery } from '../use-query.ts';
import type { EditableKind, StoredRecord, RecordField, FormValues } from './kinds.ts';
import { SelectField, TextField } from '../parts/fields.tsx';
import { Form, FormProblem } from '../parts/form.tsx';
import { useAction } from '../use-action.ts';
import { buildBody, toFormValues } from './kinds.ts';
import { ReferenceField, ReferencesField } from './references.tsx';

interface Props {
  kind: EditableKind;
  within: readonly string[];
}

export function RecordList({ kind, within }: Props) {
  const { value, error, again } = useQuery<StoredRecord[]>(`/${kind.path}?limit=1000`);
  const [isNew, setNew] = useState(false);
  return (
    <section>
      <header class="head">
        <h1>{kind.title}</h1>
        <button type="button" class="main" onClick={() => setNew(true)}>
          {TEXTS.addOne(kind.one)}
        </button>
      </header>
      <Problem error={error} again={again} />
      {value ? <Table kind={kind} within={within} records={value} /> : error ? null : <Loading />}
      {isNew ? (
        <Dialog title={TEXTS.addOne(kind.one)} close={() => setNew(false)}>
          <RecordForm
            kind={kind}
            saved={({ id }) => {
              setNew(false);
              goTo(...within, id);
            }}
          />
        </Dialog>
      ) : null}
    </section>
  );
}

function Table({ kind, within, records }: Props & { records: readonly StoredRecord[] }) {
  if (records.length === 0) return <Empty>{TEXTS.emptyListText(kind.title)}</Empty>;
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{TEXTS.name}</th>
          {kind.columns.map((column) => (
            <th key={column} scope="col">
              {TEXTS.fields[column] ?? column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {sortAsTree(records).map((record) => (
          <tr key={record.id}>
            <th scope="row" class={`level-${getLevel(record)}`}>
              <a href={formatHref(...within, record.id)}>{shortText(record[kind.label])}</a>
            </th>
            {kind.columns.map((column) => (
              <td key={column}>{shortText(record[column])}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface PageProps extends Props {
  id: string;
  children?: (record: StoredRecord, changed: (record: StoredRecord) => void) => ComponentChildren;
}

export function RecordPage({ kind, within, id, children }: PageProps) {
  const { value: record, error, again, replace } = useQuery<StoredRecord>(`/${kind.path}/${id}`);
  const [isDeleting, setDeleting] = useState(false);
  const [isSaved, setSaved] = useState(0);
  if (!record) return error ? <Problem error={error} again={again} /> : <Loading />;
  const name = shortText(record[kind.label]);
  return (
    <section>
      <header class="head">
        <h1>{name}</h1>
        <code>{id}</code>
        <button type="button" class="danger" onClick={() => setDeleting(true)}>
          {TEXTS.delete}
        </button>
      </header>
      <RecordForm
        key={isSaved}
        kind={kind}
        record={record}
        saved={(next) => {
          replace(next);
          setSaved(isSaved + 1);
        }}
      />
      {isSaved > 0 ? <p role="status">{TEXTS.saved}</p> : null}
      {children?.(record, replace)}
      {isDeleting ? (
        <Deletion kind={kind} within={within} id={id} name={name} close={() => setDeleting(false)} />
      ) : null}
    </section>
  );
}

interface DeletionProps extends Props {
  id: string;
  name: string;
  close: () => void;
}

function Deletion({ kind, within, id, name, close }: DeletionProps) {
  const remove = async () => {
    await api('DELETE', `/${kind.path}/${id}`);
    goTo(...within);
  };
  return (
    <Confirm title={TEXTS.deleteOne(kind.one, name)} word={TEXTS.delete} act={remove} close={close}>
      <p>{TEXTS.cannotBeUndone}</p>
    </Confirm>
  );
}

const MAX_LEVEL = 6;

/** Sorts children below their parent. */
function sortAsTree(records: readonly StoredRecord[]): readonly StoredRecord[] {
  return [...records].sort((a, b) => sortKey(a).localeCompare(sortKey(b)));
}

function sortKey({ path, name, title, id }: StoredRecord): string {
  return shortText(path ?? name ?? title ?? id);
}

function getLevel({ level }: StoredRecord): number {
  return typeof level === 'number' ? Math.min(level, MAX_LEVEL) : 0;
}

const LONG_ROWS = 8;
const JSON_ROWS = 4;
const TYPES = { text: 'text', email: 'email', url: 'url', password: 'password' } as const;

interface RecordFormProps {
  kind: EditableKind;
  /** Without a record, the form creates one. */
  record?: StoredRecord;
  saved: (record: StoredRecord) => void;
}

/** Sends only the changed fields. */
function RecordForm({ kind, record, saved }: RecordFormProps) {
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

/** When the record changes elsewhere, updates the fields that the user has not edited. */
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
