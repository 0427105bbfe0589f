import type { Query } from '@parlance/client';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { TEXTS } from '../texts.ts';
import type { QueryState } from '../use-query.ts';
import { DialogButton } from './dialog.tsx';
import { SearchField, SelectField } from './fields.tsx';
import type { Option } from './fields.tsx';
import { Empty, Loading, Problem } from './notices.tsx';

interface Column<T> {
  title: string;
  cell: (item: T) => ComponentChildren;
  class?: string | ((item: T) => string);
}

/** The first column has the names of the rows. */
export interface TableShape<T> {
  columns: readonly Column<T>[];
  empty: string;
}

export function Table<T extends { id: string }>({
  items,
  columns,
  empty,
}: TableShape<T> & { items: readonly T[] }) {
  if (items.length === 0) return <Empty>{empty}</Empty>;
  return (
    <table>
      <thead>
        <tr>
          {columns.map(({ title }) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <tr key={item.id}>
            {columns.map(({ title, cell, class: given }, at) => {
              const name = typeof given === 'function' ? given(item) : given;
              const Cell = at === 0 ? 'th' : 'td';
              return (
                <Cell key={title} scope={at === 0 ? 'row' : undefined} class={name}>
                  {cell(item)}
                </Cell>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface ListProps<T> {
  query: QueryState<T>;
  children: (value: T) => ComponentChildren;
}

/** After an error, the last loaded list stays visible. */
function List<T>({ query: { value, error, again }, children }: ListProps<T>) {
  return (
    <>
      <Problem error={error} again={again} />
      {value !== undefined ? children(value) : error ? null : <Loading />}
    </>
  );
}

interface ListSectionProps<T> extends ListProps<T> {
  title: string;
  add: string;
  form: (close: () => void) => ComponentChildren;
  /** The form is open at first. */
  isAdding?: boolean;
}

export function ListSection<T>({ title, add, form, isAdding = false, ...list }: ListSectionProps<T>) {
  return (
    <section>
      <header class="head">
        <h1>{title}</h1>
        <DialogButton word={add} class="main" isOpenAtFirst={isAdding}>
          {form}
        </DialogButton>
      </header>
      <List {...list} />
    </section>
  );
}

interface LogProps<T> extends TableShape<T> {
  statuses: readonly (string | Option)[];
  search?: { label: string; placeholder: string };
  useItems: (filter: Query, text: string | undefined) => QueryState<T[]>;
}

const PAGE = 50;

export function Log<T extends { id: string }>({ statuses, search, useItems, ...table }: LogProps<T>) {
  const [status, setStatus] = useState('');
  const [text, setText] = useState('');
  const [limit, setLimit] = useState(PAGE);
  const query = useItems({ status: status || undefined, sort: '-createdAt', limit }, text || undefined);
  return (
    <>
      <div class="filters">
        <SelectField
          label={TEXTS.status}
          value={status}
          set={setStatus}
          options={[{ value: '', text: TEXTS.all }, ...statuses]}
        />
        {search ? <SearchField {...search} set={setText} /> : null}
      </div>
      <List query={query}>{(items) => <Table {...table} items={items} />}</List>
      {query.value?.length === limit ? (
        <Button word={TEXTS.more} press={() => setLimit(limit + PAGE)} />
      ) : null}
    </>
  );
}
