import type { Static, TObject, TSchema } from 'typebox';
import { RESOURCES, resourceRow, withArticle } from '../../domain/resources.ts';
import type { Operation, RecordResource } from '../../domain/resources.ts';
import type { TenantDocument } from '../../store/records/tenant-records.ts';
import { listOf } from '../../application/schema/kinds.ts';
import { route } from '../route.ts';
import type { AnnouncedEvent, Route } from '../route.ts';
import { getHandler, listHandler, recordHandlers } from './handlers.ts';
import type { RecordHandlers } from './handlers.ts';
import type { RecordKind } from './kind.ts';
import type { RecordSource } from './resource.ts';

/** What is another in a row than the table of resources has it. */
interface Exception {
  summary?: string;
  /** Null: what is done is told of elsewhere. */
  announces?: null;
}

type Exceptions = Partial<Record<Operation, Exception>>;

interface Bodies<I extends TSchema, P extends TSchema> {
  input: I;
  patch: P;
}

/** The five rows of a kind of records. */
export function kindRoutes<T extends TenantDocument, I extends TSchema, P extends TSchema>(
  kind: RecordKind<T, I, P>,
): Route[] {
  return buildRoutes(kind, { ...recordHandlers(kind), input: kind.input, patch: kind.patch });
}

/** The five rows of a resource that is changed by handlers of its own. */
export function recordRoutes<T, I extends TSchema, P extends TSchema>(
  source: RecordSource<T, RecordResource>,
  changes: Bodies<I, P> & Omit<RecordHandlers<Static<I>, Static<P>>, 'list' | 'get'>,
  exceptions: Exceptions = {},
): Route[] {
  return buildRoutes(source, { list: listHandler(source), get: getHandler(source), ...changes }, exceptions);
}

function buildRoutes<I extends TSchema, P extends TSchema>(
  { name, schema }: { name: RecordResource; schema: TObject },
  { list, get, create, update, remove, input, patch }: Bodies<I, P> & RecordHandlers<Static<I>, Static<P>>,
  exceptions: Exceptions = {},
): Route[] {
  const { noun, self, secret } = resourceRow(name);
  const { scopes, event } = RESOURCES[name];
  const one = { answer: schema, ...(secret ? { secret } : {}) };
  const own = self ? { self } : {};
  const buildEventOption = (
    operation: 'create' | 'update' | 'remove',
    change: 'create' | 'update' | 'delete',
  ) =>
    exceptions[operation]?.announces === null
      ? {}
      : { announces: `${event.name}.${change}` satisfies AnnouncedEvent };
  const getSummary = (operation: Operation, usual: string) => exceptions[operation]?.summary ?? usual;
  const all = `/${name}` as const;
  const each = `/${name}/:id` as const;
  return [
    route(`GET ${all}`, scopes.list, getSummary('list', `List ${noun}s`), list, {
      ...one,
      answer: listOf(schema),
    }),
    route(`GET ${each}`, scopes.fetch, getSummary('fetch', `Fetch ${withArticle(noun)}`), get, {
      ...own,
      ...one,
    }),
    route(`POST ${all}`, scopes.create, getSummary('create', `Create ${withArticle(noun)}`), create, {
      body: input,
      creates: true,
      ...one,
      ...buildEventOption('create', 'create'),
    }),
    route(`PATCH ${each}`, scopes.update, getSummary('update', `Change ${withArticle(noun)}`), update, {
      ...own,
      body: patch,
      ...one,
      ...buildEventOption('update', 'update'),
    }),
    route(`DELETE ${each}`, scopes.remove, getSummary('remove', `Delete ${withArticle(noun)}`), remove, {
      ...buildEventOption('remove', 'delete'),
    }),
  ];
}
