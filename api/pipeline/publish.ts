import { publish } from '../../store/delivery/publish.ts';
import { organizationContext } from '../../store/records/organizations.ts';
import { DomainError } from '../../domain/errors.ts';
import { toEventActor } from '../../domain/events/event-record.ts';
import { toEventSnapshot } from '../../domain/events/envelope.ts';
import type { HandlerResult, Api, OpenRequest } from '../request.ts';
import type { AnnouncedResource } from '../../domain/resources.ts';
import type { AnnouncedEvent, Route } from '../route.ts';
import { eventId } from '../../domain/events/event-name.ts';
import { previousValues } from '../../domain/events/previous-values.ts';

/** Runs a route and publishes its event before the response is sent (spec 7). */
export type Publish = (row: Route, request: OpenRequest) => Promise<HandlerResult>;

interface EventSubject {
  record: Record<string, unknown>;
  before?: Record<string, unknown> | undefined;
  /** Tenant path of a deleted record. */
  line?: readonly string[];
}

/**
 * Publishes the record of the response, or the deleted record. Publishes nothing if a create route
 * responds 200.
 */
export function createPublish(api: Api, rows: readonly Route[]): Publish {
  const gets = findGetRoutes(rows);
  return async (row, request) => {
    const { announces } = row;
    if (!announces) return row.run(request, api);
    const isKnown = row.method === 'DELETE' || row.method === 'PATCH';
    const before = isKnown ? await readRecordBefore(gets.get(row.path), request, api) : null;
    const answer = await row.run(request, api);
    const subject = row.method === 'DELETE' ? before : toEventSubject(announces, answer, before?.record);
    if (subject) await publishEvent(announces, { subject, request, api });
    return answer;
  };
}

export function findGetRoutes(rows: readonly Route[]): ReadonlyMap<string, Route> {
  return new Map(rows.filter(({ method }) => method === 'GET').map((row) => [row.path, row]));
}

function toEventSubject(
  event: AnnouncedEvent,
  { status, body }: HandlerResult,
  before: Record<string, unknown> | undefined,
): EventSubject | null {
  const done = event.endsWith('.create') ? status === 201 : status < 300;
  return done ? { record: body as Record<string, unknown>, before } : null;
}

async function readRecordBefore(
  get: Route | undefined,
  request: OpenRequest,
  api: Api,
): Promise<EventSubject | null> {
  try {
    const answer = await get?.run({ ...request, querystring: '' }, api);
    if (!answer) return null;
    const record = answer.body as Record<string, unknown>;
    const organization = getOrganizationId(record, request);
    return { record, line: (await organizationContext(organization))?.path ?? [organization] };
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}

export async function publishEvent(
  event: AnnouncedEvent,
  {
    subject: { record, before, line },
    request,
    api,
  }: { subject: EventSubject; request: OpenRequest; api: Api },
): Promise<void> {
  const { principal, receivedAt, ids } = request;
  if (!principal) return;
  const [resource, operation] = event.split('.') as [AnnouncedResource, string];
  const id = String(record['id']);
  const snapshot = toEventSnapshot(resource, record);
  await publish(
    {
      // A retry of an interrupted create has the same event id.
      id: eventId(operation === 'create' ? id : ids.newId()),
      name: event,
      timestamp: receivedAt,
      organization: resource === 'organization' ? id : getOrganizationId(record, request),
      actor: toEventActor(principal),
      data: {
        [resource]: snapshot,
        ...(before && { previous: previousValues(toEventSnapshot(resource, before), snapshot) }),
      },
      ...(line ? { line } : {}),
      // A new service does not receive the event of its creation.
      ...(resource === 'service' && operation === 'create' ? { except: id } : {}),
    },
    api.config,
  );
}

function getOrganizationId(
  { id, organization, path }: Record<string, unknown>,
  { principal }: OpenRequest,
): string {
  if (typeof organization === 'string') return organization;
  return typeof path === 'string' ? String(id) : (principal?.organization ?? '');
}
