import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { ConfirmButton } from '../parts/dialog.tsx';
import { SelectField, TextField } from '../parts/fields.tsx';
import { ActionForm, useFieldProblem } from '../parts/form.tsx';
import { Pending } from '../parts/notices.tsx';
import { ListSection, Table } from '../parts/table.tsx';
import { shortText, toRequestBody } from '../parts/written-json.ts';
import { formatHref, goTo } from '../route.ts';
import { client } from '../session.ts';
import { KIND_WORDS } from './texts.ts';
import { TEXTS } from '../texts.ts';
import { useQuery } from '../use-query.ts';
import { buildBody, toFormValues } from './kinds.ts';
import type { EditableKind, FormValues, RecordField, StoredRecord } from './kinds.ts';
import { ReferenceField, ReferencesField } from './references.tsx';
import { CategoriesField, FormFieldsField } from './rows.tsx';

interface Props {
  kind: EditableKind;
  within: readonly string[];
}

interface ListProps extends Props {
  /** Runs before the page of a new record opens, and does not reject. */
  created?: (record: StoredRecord) => Promise<void>;
  /** Opens the form at first, with these values. */
  initial?: FormValues | undefined;
}

export function RecordList({ kind, within, created, initial }: ListProps) {
  const query = useQuery(`GET /${kind.path}` as const, { query: { limit: 1000 } });
  const words = KIND_WORDS[kind.path];
  const columns = kind.columns.map((column) => ({
    title: TEXTS.fields[column] ?? column,
    cell: (record: StoredRecord) => nameChoice(kind, column, shortText(record[column])),
  }));
  const name = {
    title: TEXTS.name,
    class: ({ level }: StoredRecord) => `level-${typeof level === 'number' ? Math.min(level, MAX_LEVEL) : 0}`,
    cell: (record: StoredRecord) => (
      <a href={formatHref(...within, record.id)}>{shortText(record[kind.label])}</a>
    ),
  };
  return (
    <ListSection
      title={words.title}
      add={TEXTS.addOne(words.one)}
      isAdding={initial !== undefined}
      form={(close) => (
        <RecordForm
          kind={kind}
          initial={initial}
          saved={async (record) => {
            await created?.(record);
            close();
            goTo(...within, record.id);
          }}
        />
      )}
      query={query}
    >
      {(records) => (
        <Table
          items={sortAsTree(records)}
          columns={[name, ...columns]}
          empty={TEXTS.emptyListText(words.title)}
        />
      )}
    </ListSection>
  );
}

interface PageProps extends Props {
  id: string;
  children?: (record: StoredRecord, changed: (record: StoredRecord) => void) => ComponentChildren;
}

export function RecordPage({ kind, within, id, children }: PageProps) {
  const { path } = kind;
  const { value, replace, ...query } = useQuery(`GET /${path}/{id}` as const, { path: { id } });
  const [isSaved, setSaved] = useState(0);
  if (!value) return <Pending query={query} />;
  const record: StoredRecord = value;
  const changed = (next: StoredRecord) => replace(next as typeof value);
  const remove = async () => {
    await client.call(`DELETE /${path}/{id}` as const, { path: { id } });
    goTo(...within);
  };
  const name = shortText(record[kind.label]);
  return (
    <section>
      <header class="head">
        <h1>{name}</h1>
        <code>{id}</code>
        <ConfirmButton
          word={TEXTS.delete}
          title={TEXTS.deleteOne(KIND_WORDS[path].one, name)}
          class="danger"
          act={remove}
        >
          <p>{TEXTS.cannotBeUndone}</p>
        </ConfirmButton>
      </header>
      <RecordForm
        key={isSaved}
        kind={kind}
        record={record}
        saved={(next) => {
          changed(next);
          setSaved(isSaved + 1);
        }}
      />
      {isSaved > 0 ? <p role="status">{TEXTS.saved}</p> : null}
      {children?.(record, changed)}
    </section>
  );
}

/** Returns the word for a value that is chosen, such as a role. */
function nameChoice({ fields }: EditableKind, name: string, value: string): string {
  const isChoice = fields.some((one) => one.name === name && one.type === 'select');
  return (isChoice ? KIND_WORDS.options[value] : undefined) ?? value;
}

const MAX_LEVEL = 6;

/** Children come after their parent. */
function sortAsTree(records: readonly StoredRecord[]): readonly StoredRecord[] {
  const key = ({ path, name, title, id }: StoredRecord) => shortText(path ?? name ?? title ?? id);
  return [...records].sort((a, b) => key(a).localeCompare(key(b)));
}

const ROWS: Partial<Record<RecordField['type'], number>> = { long: 8, lines: 4 };

interface RecordFormProps {
  kind: EditableKind;
  record?: StoredRecord;
  initial?: FormValues | undefined;
  saved: (record: StoredRecord) => unknown;
}

function RecordForm({ kind, record, initial, saved }: RecordFormProps) {
  const { before, values, setValues } = useValues(kind, record, initial);
  const mode = record ? 'change' : 'create';
  const fields = kind.fields.filter(({ only = mode }) => only === mode);
  const save = async () => {
    const body = buildBody(kind, values, before);
    if (record) {
      const change = { path: { id: record.id }, ...toRequestBody(body) };
      await saved(await client.call(`PATCH /${kind.path}/{id}` as const, change));
    } else {
      await saved(await client.call(`POST /${kind.path}` as const, toRequestBody(withoutNull(body))));
    }
  };
  return (
    <ActionForm word={TEXTS.save} submit={save}>
      {fields.map((field) => (
        <Control
          key={field.name}
          field={field}
          value={values[field.name] ?? ''}
          set={(value) => setValues({ ...values, [field.name]: value })}
        />
      ))}
    </ActionForm>
  );
}

/** A changed record updates the fields that the user has not edited. */
function useValues(kind: EditableKind, record: StoredRecord | undefined, initial?: FormValues) {
  const [before, setBefore] = useState<FormValues>(() => (record ? toFormValues(kind, record) : {}));
  const [values, setValues] = useState(() => ({ ...toFormValues(kind, record), ...initial }));
  // A passive effect would replace what was typed before it runs.
  useLayoutEffect(() => {
    if (!record) return;
    const next = toFormValues(kind, record);
    const edited = Object.entries(values).filter(([name, value]) => value !== before[name]);
    setValues({ ...next, ...Object.fromEntries(edited) });
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
  const shared = {
    label: TEXTS.fields[name] ?? name,
    value,
    set,
    hint: hint && KIND_WORDS[hint],
    path: name,
  };
  if (type === 'reference') return <ReferenceField {...shared} of={of} />;
  if (type === 'references' || type === 'members') return <ReferencesField {...shared} of={of} />;
  if (type === 'categories') return <CategoriesField {...shared} />;
  if (type === 'formFields') return <FormFieldsField {...shared} />;
  if (type === 'json') return <JsonField {...shared} />;
  if (type === 'select') {
    const none = required ? [] : [{ value: '', text: '–' }];
    const choices = options.map((one) => ({ value: one, text: KIND_WORDS.options[one] ?? one }));
    return <SelectField {...shared} options={[...none, ...choices]} />;
  }
  if (type === 'long' || type === 'lines') return <TextField {...shared} rows={ROWS[type]} />;
  const autocomplete = type === 'password' ? 'new-password' : undefined;
  return <TextField {...shared} required={required} type={type} autocomplete={autocomplete} />;
}

/** Data that programs read and people rarely change. Folded unless it has a problem. */
function JsonField({
  path,
  ...field
}: Pick<ControlProps, 'value' | 'set'> & { label: string; path: string }) {
  const isWrong = useFieldProblem(path) !== '';
  return (
    <details class="field" open={isWrong}>
      <summary>{KIND_WORDS.forPrograms(field.label)}</summary>
      <TextField {...field} path={path} rows={4} />
    </details>
  );
}

function withoutNull(body: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}
