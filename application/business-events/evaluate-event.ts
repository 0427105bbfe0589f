import { FIRST_TIMES } from '../../domain/conversations/conversation.ts';
import { unprocessable } from '../../domain/errors.ts';
import type { Reach } from '../../store/queries/reach.ts';
import type { ExpressionPool } from '../expressions/pool.ts';
import { loadEventPath, expressionError } from './result-parts.ts';
import type { EventFacts } from '../../domain/events/event-context.ts';
import { assertSafeKey } from '../../domain/free-form.ts';
import { readIsoTime } from '../../domain/iso-time.ts';
import type { Condition } from '../../domain/query/tree.ts';
import { withIdentifiers } from '../posting/identifier-conditions.ts';
import { presentConversation } from '../presenters/presenters.ts';
import { organizationRecord } from '../../store/records/organizations.ts';
import { contactRecord, firstContact } from '../../store/conversations/contacts.ts';
import { firstConversation } from '../../store/conversations/find-conversations.ts';
import { firstOrganization } from '../../store/records/find-organizations.ts';
import { SearchTooLong } from '../../store/queries/listing.ts';
import type { BoundedSearch } from '../../store/queries/find.ts';
import type { LookupName } from '../expressions/protocol.ts';
import { LookupRefusal } from '../expressions/run.ts';
import type { ResolveLookup } from '../expressions/run.ts';

interface EvaluationInput {
  name: string;
  expression: string | undefined;
  body: string;
  event: EventFacts;
  reach: Reach;
  /** Called with the cost in milliseconds, also if the expression fails. */
  spent: (costMs: number) => void;
}

/**
 * Returns JSON, or undefined for no result. Throws DomainError `unprocessable` if the expression
 * fails.
 */
export async function evaluateEvent(
  { name, expression, body, event, reach, spent }: EvaluationInput,
  { expressions, publicUrl }: { expressions: ExpressionPool; publicUrl: string },
): Promise<string | undefined> {
  if (expression === undefined || expression.trim() === '') {
    throw unprocessable('the event type has no expression yet', 'jsonata');
  }
  const path = await loadEventPath(reach.organization, name);
  const resolveLookup = createLookupResolver(reach, publicUrl);
  const evaluation = await expressions.evaluate({
    ...{ expression, path, body, resolveLookup, spent },
    event: JSON.stringify(event),
  });
  if ('fault' in evaluation) throw expressionError(evaluation.fault);
  return evaluation.result;
}

/** Time limit for all lookups of a run together. */
const SEARCH_MS = 5_000;
const MAX_CONDITIONS = 20;
const DEEPEST = 10;

const TIMES = ['createdAt', 'updatedAt'];
const EVERY = ['id', 'createdBy', ...TIMES];

/** Permitted first segments of filter paths. */
export const LOOKUP_FIELDS: Record<LookupName, readonly string[]> = {
  conversation: [
    ...EVERY,
    'lastMessage',
    'lastMessageAt',
    'waitingSince',
    ...FIRST_TIMES,
    'snoozedUntil',
    'team',
    'labels',
    'rating',
    'slug',
    'organization',
    'name',
    'type',
    'status',
    'category',
    'categoryIndex',
    'language',
    'meta',
    'contact',
    'participants',
    'channels',
    'channelsOffline',
    'touchpoints',
    'forms',
    'results',
  ],
  contact: [
    ...EVERY,
    'organization',
    'conversation',
    'externalId',
    'profile',
    'identities',
    'blocked',
    'labels',
    'notes',
    'settings',
    'meta',
  ],
  organization: [
    ...EVERY,
    'name',
    'displayName',
    'email',
    'url',
    'country',
    'logo',
    'industry',
    'status',
    'tags',
    'parent',
    'path',
    'level',
    'categories',
    'ratingForm',
    'timers',
    'settings',
    'meta',
  ],
};

/**
 * Returns a function that finds the first matching record within `reach` (spec 8.5). The function
 * throws LookupRefusal for an invalid filter, or after `withinMs` of lookups.
 */
export function createLookupResolver(reach: Reach, publicUrl: string, withinMs = SEARCH_MS): ResolveLookup {
  const finders: Record<LookupName, (search: BoundedSearch) => Promise<object | null>> = {
    conversation: async (search) => {
      const found = await firstConversation(reach, search);
      return found && presentConversation(found, { reach, publicUrl });
    },
    contact: async (search) => {
      const found = await firstContact(reach, search);
      return found && contactRecord.present(found);
    },
    organization: async (search) => {
      const found = await firstOrganization(reach, search);
      return found && organizationRecord.present(found);
    },
  };
  let leftMs = withinMs;
  return async ({ name, filter }) => {
    const conditions = await withIdentifiers(parseConditions(name, JSON.parse(filter) as unknown), {
      resource: `${name}s`,
      organization: reach.organization,
    });
    const begun = performance.now();
    const found = await finders[name]({ conditions, withinMs: leftMs }).catch(rethrowLookupError);
    leftMs -= performance.now() - begun;
    return found ? JSON.stringify(found) : undefined;
  };
}

function rethrowLookupError(error: unknown): never {
  if (!(error instanceof SearchTooLong)) throw error;
  throw new LookupRefusal(
    'The search for a record takes too long. Search by its id, or by fewer and rarer values.',
  );
}

function parseConditions(name: LookupName, filter: unknown): Condition[] {
  if (typeof filter !== 'object' || filter === null || Array.isArray(filter)) {
    throw new LookupRefusal(`$${name} expects an object of fields and their values.`);
  }
  const entries = Object.entries(filter);
  if (entries.length === 0) throw new LookupRefusal(`The filter of $${name} needs at least one field.`);
  if (entries.length > MAX_CONDITIONS) {
    throw new LookupRefusal(`The filter of $${name} may have ${MAX_CONDITIONS} fields at most.`);
  }
  return entries.map(([path, value]) => parseCondition(name, path, value));
}

function parseCondition(name: LookupName, path: string, value: unknown): Condition {
  const steps = path.split('.');
  const [field = ''] = steps;
  const plain = steps.every((step) => step !== '' && isPlain(step));
  if (!plain || steps.length > DEEPEST || !LOOKUP_FIELDS[name].includes(field)) {
    throw new LookupRefusal(`"${path.slice(0, 100)}" is not a field that $${name} can search by.`);
  }
  if (TIMES.includes(path)) return { path, is: 'one of', values: [parseLookupTime(path, value)] };
  if (typeof value === 'string' || typeof value === 'boolean') return { path, is: 'one of', values: [value] };
  // Senders write codes, such as order numbers and telephone numbers, as numbers.
  if (typeof value === 'number') return { path, is: 'one of', values: [value, String(value)] };
  throw new LookupRefusal(`"${path}" of $${name} must be a text, a number, true or false.`);
}

function isPlain(step: string): boolean {
  try {
    assertSafeKey(step, 'filter');
    return true;
  } catch {
    return false;
  }
}

function parseLookupTime(path: string, value: unknown): Date {
  const millis = typeof value === 'string' ? readIsoTime(value) : value;
  const time = new Date(typeof millis === 'number' ? millis : Number.NaN);
  if (Number.isNaN(time.getTime())) throw new LookupRefusal(`"${path}" must be an ISO 8601 time.`);
  return time;
}
