import { useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { Confirm, Dialog } from '../parts/dialog.tsx';
import { Empty, Loading, Problem } from '../parts/notices.tsx';
import { shortText } from '../parts/short-text.ts';
import { api } from '../request.ts';
import { goTo, formatHref } from '../route.ts';
import { TEXTS } from '../texts.ts';
import { useQuery } from '../use-asked.ts';
import type { EditableKind, StoredRecord } from './kinds.ts';
import { RecordForm } from './record-form.tsx';

interface Props {
  kind: EditableKind;
  /** The screen and the part of it that shows this kind. */
  within: readonly string[];
}

/** All records of a kind, and a way to make one. */
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
  /** What belongs to one record besides its fields. */
  children?: (record: StoredRecord, changed: (record: StoredRecord) => void) => ComponentChildren;
}

/** One record: changing it, and deleting it. */
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

/** Organizations as the tree that they are, below each other. */
function sortAsTree(records: readonly StoredRecord[]): readonly StoredRecord[] {
  return [...records].sort((a, b) => sortKey(a).localeCompare(sortKey(b)));
}

function sortKey({ path, name, title, id }: StoredRecord): string {
  return shortText(path ?? name ?? title ?? id);
}

function getLevel({ level }: StoredRecord): number {
  return typeof level === 'number' ? Math.min(level, MAX_LEVEL) : 0;
}
