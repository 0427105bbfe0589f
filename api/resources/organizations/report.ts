import Type from 'typebox';
import { CONVERSATION_STATUSES } from '../../../domain/conversations/conversation.ts';
import { ReportBuilder } from '../../../domain/conversations/report.ts';
import type { AgentSummary, ReportRange } from '../../../domain/conversations/report.ts';
import { WAITS } from '../../../domain/conversations/waiting-times.ts';
import { MAX_RATING } from '../../../domain/messages/rating.ts';
import { invalidRequest, notFound } from '../../../domain/errors.ts';
import { readIsoTime } from '../../../domain/iso-time.ts';
import { createLocalDay, startOfLocalDay } from '../../../domain/local-day.ts';
import type { LocalDay } from '../../../domain/local-day.ts';
import { parseParameters } from '../../../domain/query/query-string.ts';
import { about, idOf, object, Time } from '../../../schema/kinds.ts';
import { definedFields } from '../../../domain/record-fields.ts';
import { findNames } from '../../../store/accounts/authors.ts';
import { findServicesByIds } from '../../../store/delivery/services.ts';
import { countFailures, countReplies, visitCreated } from '../../../store/conversations/report.ts';
import type { Reach } from '../../../store/queries/reach.ts';
import { inSlices } from '../../../store/queries/slices.ts';
import { findOrganization } from '../../../store/records/find-organizations.ts';
import { loadCallerPath } from '../../listing/line.ts';
import { assertKnownParameters } from '../../request.ts';
import type { Api, ApiRequest, HandlerResult } from '../../request.ts';

const DAY_MS = 24 * 60 * 60_000;
const MAX_DAYS = 400;
/** A local day may have 25 hours. */
const MAX_RANGE_MS = MAX_DAYS * DAY_MS + 2 * 60 * 60_000;
const YEARS = { first: 2000, last: 2999 };
const DEFAULT_DAYS = 30;
const MAX_CONVERSATIONS = 250_000;

const Count = (description: string) => about(Type.Integer(), description, 42);

const countsByName = (title: string, description: string) =>
  about(
    Type.Array(
      object(title, description, {
        name: about(Type.String(), 'The name or code.', 'sales'),
        conversations: Count('The number of conversations.'),
      }),
    ),
    `${description} The 200 most frequent, most frequent first. A conversation without a value is in no entry.`,
  );

const Average = about(
  Type.Union([Type.Number(), Type.Null()]),
  'The average with two decimals. Null without ratings.',
  4.38,
);

const WaitSummary = object('WaitSummary', 'The waiting times of conversations, in milliseconds.', {
  conversations: Count('The number of conversations that ended this wait.'),
  median: about(Type.Union([Type.Integer(), Type.Null()]), 'The median. Null without conversations.', 95_000),
  p90: about(
    Type.Union([Type.Integer(), Type.Null()]),
    'The 90th percentile. Null without conversations.',
    610_000,
  ),
});

export const reportQuery = Type.Object({
  since: Type.Optional(
    about(
      Type.String(),
      'The start of the range of creation times, inclusive, in ISO 8601. A date alone is midnight in `timeZone`. Default: 30 local days up to `until`.',
      '2026-03-01',
    ),
  ),
  until: Type.Optional(
    about(
      Type.String(),
      'The end of the range, exclusive. Default: the end of today in `timeZone`.',
      '2026-04-01',
    ),
  ),
  timeZone: Type.Optional(
    about(Type.String(), 'The IANA time zone of the days. Default UTC.', 'Europe/Amsterdam'),
  ),
});

export const reportSchema = object('Report', 'Statistics of the conversations created in a range of time.', {
  organization: idOf('organizations', 'The organization. Organizations below it are included.'),
  since: about(Time, 'The start of the range.'),
  until: about(Time, 'The end of the range, exclusive.'),
  timeZone: about(Type.String(), 'The time zone of the days.', 'Europe/Amsterdam'),
  conversations: Count('The number of created conversations.'),
  days: about(
    Type.Array(
      object('ReportDay', 'A calendar day in the time zone.', {
        day: about(Type.String(), 'The day.', '2026-03-14'),
        conversations: Count('The number of conversations created on the day.'),
      }),
    ),
    'Every day of the range, also without conversations. The first and the last day may be partial.',
  ),
  statuses: object(
    'ReportStatuses',
    'The number of conversations by current status.',
    Object.fromEntries(
      CONVERSATION_STATUSES.map((status) => [status, Count(`The number of ${status} conversations.`)]),
    ),
  ),
  categories: countsByName('ReportCategory', 'Conversations by category.'),
  touchpoints: countsByName('ReportTouchpoint', 'Conversations by selected touchpoint.'),
  times: object(
    'ReportTimes',
    'The waiting times until a participant first accepted, until an agent or bot first replied to the contact, and until the conversation was first closed.',
    { accept: WaitSummary, firstReply: WaitSummary, close: WaitSummary },
  ),
  agents: about(
    Type.Array(
      object('ReportAgent', 'The work of an agent.', {
        user: idOf('users', 'The agent.'),
        name: Type.Optional(about(Type.String(), 'The name. Absent without one.', 'Grace Hopper')),
        conversations: Count('The number of conversations that the agent has accepted.'),
        replies: Count('The number of replies to contacts that the agent wrote in the range.'),
        times: object('ReportAgentTimes', 'The waiting times of these conversations.', {
          firstReply: WaitSummary,
          close: WaitSummary,
        }),
        ratings: object('ReportAgentRatings', 'The last ratings of these conversations.', {
          conversations: Count('The number of conversations that have a rating.'),
          average: Average,
        }),
      }),
    ),
    'The 200 agents with the most conversations.',
  ),
  replies: object('ReportReplies', 'The replies of bots and of people to contacts.', {
    bot: Count('The number of replies that bots wrote in the range.'),
    agent: Count('The number of replies that agents wrote in the range.'),
    closedWithoutAgent: Count('The number of closed conversations in which no agent took part.'),
  }),
  failures: object('ReportFailures', 'The failed deliveries of events of the range that are still kept.', {
    webhooks: Count('The number of failed deliveries of webhooks.'),
    channels: Count('The number of failed deliveries of channels.'),
    services: about(
      Type.Array(
        object('ReportFailingService', 'The failed deliveries of a service.', {
          service: idOf('services', 'The service.'),
          name: Type.Optional(about(Type.String(), 'The name. Absent for a deleted service.', 'Booking bot')),
          type: Type.Optional(about(Type.String(), 'The type of the service.', 'webhook')),
          deliveries: Count('The number of failed deliveries.'),
        }),
      ),
      'The 200 services with the most failed deliveries.',
    ),
  }),
  ratings: object('ReportRatings', "The contacts' last ratings of the conversations.", {
    conversations: Count('The number of conversations that have a rating.'),
    average: Average,
    values: about(
      Type.Array(
        object('ReportRating', 'A rating.', {
          rating: about(Type.Integer({ minimum: 1, maximum: MAX_RATING }), 'The rating.', 5),
          conversations: Count('The number of conversations with this rating.'),
        }),
      ),
      'Every rating from 1 to 5, also without conversations.',
    ),
  }),
});

export async function readReport(request: ApiRequest, { lists }: Api): Promise<HandlerResult> {
  const { principal, id: organization, querystring, receivedAt } = request;
  const { timeZone, ...range } = parseRange(parseParameters(querystring), Date.parse(receivedAt));
  const since = new Date(range.since);
  const until = new Date(range.until);
  if (!(await findOrganization(principal.reach, organization))) throw notFound('The organization');
  const report = await lists.run(await loadCallerPath(principal), async ({ withinMs }) => {
    const builder = new ReportBuilder(range);
    const end = performance.now() + withinMs;
    const search = () => {
      const rest = Math.max(1, Math.ceil(end - performance.now()));
      return { organization, since, until, withinMs: rest };
    };
    await visitCreated(search(), (conversation) => {
      builder.add(conversation);
      return builder.conversations <= MAX_CONVERSATIONS;
    });
    if (builder.conversations > MAX_CONVERSATIONS) throw tooManyConversations();
    const replies = await countReplies(search());
    const failures = await countFailures(search());
    const waits = await inSlices(WAITS, (wait) => builder.summarize(wait));
    return { ...builder.build(waits, replies), failures };
  });
  const { agents, failures, ...figures } = report;
  const body = {
    ...{ organization, since, until, timeZone, ...figures },
    agents: await nameAgents(agents),
    failures: await nameServices(failures, principal.reach),
  };
  return { status: 200, body };
}

/** An agent without a name has none in the report: the email is for admins. */
async function nameAgents(agents: readonly AgentSummary[]) {
  const names = await findNames(agents.map(({ user }) => user));
  return agents.map((agent) => ({ ...agent, ...definedFields({ name: names.get(agent.user) }) }));
}

async function nameServices(failures: Awaited<ReturnType<typeof countFailures>>, reach: Reach) {
  const ids = failures.map(({ service }) => service);
  const found = new Map((await findServicesByIds(reach, ids)).map((one) => [one._id, one]));
  const isWebhook = (id: string) => (found.get(id)?.type ?? 'webhook') === 'webhook';
  const sum = (ofWebhooks: boolean) =>
    failures.reduce(
      (total, { service, deliveries }) => total + (isWebhook(service) === ofWebhooks ? deliveries : 0),
      0,
    );
  const services = failures.map(({ service, deliveries }) => {
    const { name, type } = found.get(service) ?? {};
    return { service, ...definedFields({ name, type }), deliveries };
  });
  return { webhooks: sum(true), channels: sum(false), services };
}

function tooManyConversations() {
  return invalidRequest(
    'since',
    `a report reads ${MAX_CONVERSATIONS} conversations at most; ask for less time`,
  );
}

function parseRange(parameters: Map<string, string>, now: number): ReportRange & { timeZone: string } {
  assertKnownParameters(parameters.keys(), Object.keys(reportQuery.properties));
  const timeZone = parameters.get('timeZone') ?? 'UTC';
  const localDay = createLocalDay(timeZone);
  if (!localDay) throw invalidRequest('timeZone', 'is not an IANA time zone such as Europe/Amsterdam');
  const read = (name: string) => parseTime(name, parameters.get(name), localDay);
  // Repeated requests get the same range and entity tag.
  const until = read('until') ?? startOfLocalDay(Date.parse(localDay(now)) + DAY_MS, localDay);
  const lastDay = Date.parse(localDay(until - 1));
  const since = read('since') ?? startOfLocalDay(lastDay - (DEFAULT_DAYS - 1) * DAY_MS, localDay);
  if (since >= until) throw invalidRequest('since', 'must be before until');
  if (until - since > MAX_RANGE_MS)
    throw invalidRequest('since', `is more than ${MAX_DAYS} days before until`);
  return { since, until, localDay, timeZone };
}

const DATE_ALONE = /^\d{4}(-\d\d){0,2}$/;

function parseTime(name: string, text: string | undefined, localDay: LocalDay): number | undefined {
  if (text === undefined) return undefined;
  const time = readIsoTime(text);
  if (time === undefined || Number.isNaN(time)) throw invalidRequest(name, 'must be an ISO 8601 time');
  const year = new Date(time).getUTCFullYear();
  if (year < YEARS.first || year > YEARS.last)
    throw invalidRequest(name, `must be in the years ${YEARS.first} to ${YEARS.last}`);
  return DATE_ALONE.test(text) ? startOfLocalDay(time, localDay) : time;
}
