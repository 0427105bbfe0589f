import { isRefusal, unprocessable } from '../../domain/errors.ts';
import type { ExpressionPool } from '../expressions/pool.ts';
import { createSeededIds } from '../posting/id-generator.ts';
import type { PostingDeps } from '../posting/posting-context.ts';
import { keepEventOutcome, keepEventResult } from '../../store/records/business-events.ts';
import type { EventDocument, EventOutcome, StoredEvent } from '../../store/records/business-events.ts';
import { eventTypeModel } from '../../store/records/eventtypes.ts';
import { evaluateEvent } from './evaluate-event.ts';
import { applyResult } from './apply-result.ts';
import { noteOutcome, reportFailure } from './report-failure.ts';
import { ignoredHint, parseResultParts } from './result-parts.ts';
import type { ResultPart } from './result-parts.ts';
import { buildEventFacts } from '../../domain/events/event-context.ts';
import type { EventContext } from '../../domain/events/event-context.ts';
import { definedFields } from '../../domain/record-fields.ts';
import { includesScope, lowerScope, toScope } from '../../domain/scope.ts';
import { findApiKey } from '../../store/accounts/apikeys.ts';
import { findAccount } from '../../store/accounts/users.ts';
import { isWithinReach } from '../../store/queries/reach.ts';

export interface EventDeps {
  posting: PostingDeps;
  expressions: ExpressionPool;
  publicUrl: string;
}

export interface EventRun {
  outcome: EventOutcome;
  costMs: number;
}

const PART_MS = 10;

/**
 * Evaluates the expression, posts all of the result or nothing, and stores the outcome (spec 8.2).
 * Repeated and concurrent runs post the same result with the same ids. Rejects only for temporary
 * errors. Without `expression`, uses the event type's, and reads the sender's permissions again.
 */
export async function runEvent(stored: StoredEvent, deps: EventDeps, expression?: string): Promise<EventRun> {
  const progress = newProgress();
  const outcome = await recordOutcome({ event: stored.event, progress, deps }, async () => {
    const sender = expression === undefined ? await refreshSender(stored.event.caller) : stored.event.caller;
    const result = await loadOrEvaluate(stored, { sender, deps, progress, expression });
    return postAll(stored, { sender, result, deps, progress });
  });
  return { outcome, costMs: progress.costMs };
}

/** Evaluates the expression and stores the result. Returns the cost in milliseconds. */
export async function transformEvent(stored: StoredEvent, deps: EventDeps): Promise<number> {
  const progress = newProgress();
  await recordOutcome({ event: stored.event, progress, deps }, async () => {
    await loadOrEvaluate(stored, { sender: await refreshSender(stored.event.caller), deps, progress });
    return undefined;
  });
  return progress.costMs;
}

interface Progress {
  conversations: Set<string>;
  messages: string[];
  costMs: number;
}

interface EventRunContext {
  sender: EventDocument['caller'];
  deps: EventDeps;
  progress: Progress;
}

const newProgress = (): Progress => ({ conversations: new Set(), messages: [], costMs: 0 });

async function loadOrEvaluate(
  { event, content }: StoredEvent,
  { sender, deps, progress, expression }: EventRunContext & { expression?: string | undefined },
): Promise<string | undefined> {
  if (content.evaluated === event.round) return content.result;
  const { name } = event;
  const asked = {
    name,
    expression: expression ?? (await eventTypeModel.findById(event.eventtype).lean())?.jsonata,
    body: content.body,
    event: buildEventFacts(event, JSON.parse(content.context ?? '{}') as EventContext),
    reach: { organization: sender.organization },
    spent: (ms: number) => (progress.costMs += ms),
  };
  try {
    return await keepEventResult(event, await evaluateEvent(asked, deps));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    // The first stored result or failure counts for all concurrent runs.
    const kept = await keepEventResult(event, undefined);
    if (kept === undefined) throw error;
    return kept;
  }
}

async function postAll(
  { event, content }: StoredEvent,
  { sender, result, deps, progress }: EventRunContext & { result: string | undefined },
): Promise<EventOutcome> {
  const context = {
    principal: { ...sender, reach: { organization: sender.organization }, credential: { apiKey: '' } },
    ids: createSeededIds(content.seed),
    receivedAt: event.createdAt.toISOString(),
    origin: event.timer === undefined ? ('event' as const) : ('timer' as const),
    deps: deps.posting,
  };
  const parts = withDefaultOrganization(await parseResultParts(result), event.organization);
  progress.costMs += parts.length * PART_MS;
  await applyResult(parts, context, ({ conversation, messages }) => {
    progress.conversations.add(conversation);
    progress.messages.push(...messages);
  });
  return {
    status: parts.length === 0 ? 'ignored' : 'processed',
    ...toPostedFields(progress),
    ...definedFields({ hint: ignoredHint(parts) }),
  };
}

async function recordOutcome<T extends EventOutcome | undefined>(
  { event, progress, deps }: Pick<EventRunContext, 'progress' | 'deps'> & { event: EventDocument },
  work: () => Promise<T>,
): Promise<T | EventOutcome> {
  try {
    const outcome = await work();
    if (outcome) noteOutcome(outcome.status);
    return outcome && (await keepEventOutcome(event, outcome));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const { message, details } = error;
    await reportFailure(event, error, deps.posting);
    noteOutcome('failed');
    return keepEventOutcome(event, {
      status: 'failed',
      ...toPostedFields(progress),
      error: { message, ...definedFields({ details }) },
    });
  }
}

/** A sender that was moved posts nothing into its new organization by default (spec 8.3). */
function withDefaultOrganization(parts: ResultPart[], organization: string): ResultPart[] {
  return parts.map((part) =>
    part.kind === 'upsert'
      ? { ...part, input: { ...part.input, organization: part.input.organization ?? organization } }
      : part,
  );
}

function toPostedFields({ conversations, messages }: Progress) {
  return { conversations: [...conversations], messages };
}

type Sender = EventDocument['caller'];

/**
 * Returns the sender with the lower of past and current permissions (spec 8.3). Throws DomainError
 * `unprocessable` if these do not suffice.
 */
async function refreshSender(sender: Sender): Promise<Sender> {
  const user = await findAccount({ _id: sender.user });
  if (!user) throw invalidSenderError('has been removed');
  if (sender.apiKey !== undefined && !(await findApiKey(sender.apiKey))) {
    throw invalidSenderError('used an API key that has been revoked');
  }
  const scope = lowerScope(sender.scope, toScope(user.role));
  if (!includesScope(scope, 'bot'))
    throw invalidSenderError(`may not send events any more (role ${user.role})`);
  return { ...sender, role: user.role, scope, organization: await chooseNarrower(sender.organization, user) };
}

// An expression must not gain reach because the sender moved to another organization.
async function chooseNarrower(then: string, { organization }: { organization: string }): Promise<string> {
  if (await isWithinReach({ organization }, then)) return then;
  if (await isWithinReach({ organization: then }, organization)) return organization;
  throw invalidSenderError('belongs to another organization now');
}

function invalidSenderError(reason: string) {
  return unprocessable(`The user who sent the event ${reason}. Send the event again with other credentials.`);
}
