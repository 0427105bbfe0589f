import { loopBlocks, loopCounts } from '../conversations/bot-loop.ts';
import type { LoopBlock, LoopCounter } from '../conversations/bot-loop.ts';
import type { ConversationState, Participant } from '../conversations/conversation.ts';
import { MAX_FIRINGS, isExhausted } from '../timers/timer.ts';
import type { NextTimer } from '../timers/timer.ts';
import type { DrainReport, FailingService } from '../delivery/drain-report.ts';

// Titles and Markdown for operators in Temporal (spec 11.2). All names are escaped.

const MAX_NAME = 60;
/** A summary has at most 400 bytes. */
const MAX_TITLE_PART = 32;
const MAX_REASON = 160;
const MAX_LABELS = 50;
/** A search attribute holds 2 KiB. */
const MAX_SEARCHED = 8;
const DAY_MS = 24 * 3600_000;

export function conversationTitle(parts: {
  organization?: string | undefined;
  contact?: string | undefined;
  name?: string | undefined;
  category?: string | undefined;
}): string {
  return [parts.organization, parts.contact || parts.name, parts.category]
    .map((part) => escapeMarkdown(part ?? '', MAX_TITLE_PART))
    .filter((part) => part !== '')
    .join(' · ');
}

/** Returns a title without personal names: the deletion outlives the conversation (spec 11.3). */
export function erasureTitle(organization: string | undefined): string {
  const name = escapeMarkdown(organization ?? '', MAX_TITLE_PART);
  return name === '' ? 'deletion of a conversation' : `${name} · deletion of a conversation`;
}

/** Returns the ids whose names operators see. Bots with loop counters need not be participants. */
export function labelIds({
  organization,
  contact,
  participants,
  loops,
}: Pick<ConversationState, 'organization' | 'contact' | 'participants' | 'loops'>): string[] {
  const users = [...participants.map(({ user }) => user), ...Object.keys(loops)];
  return [...new Set([organization, contact ?? organization, ...users])].slice(0, MAX_LABELS);
}

export type NamesById = Readonly<Record<string, string>>;

/** The message of a conversation that failed last (spec 15.4). */
export interface Undelivered {
  touchpoint: string;
  /** ISO 8601 UTC. */
  at: string;
  code: string;
  reason: string;
}

/** `now` is epoch milliseconds. */
interface DetailsInput {
  state: ConversationState;
  names: NamesById;
  now: number;
  timer?: NextTimer | undefined;
  undelivered?: Undelivered | undefined;
}

export function conversationDetails(shown: DetailsInput): string {
  const { state, names } = shown;
  const { organization, contact = '', name, category } = state;
  const title = conversationTitle({
    organization: names[organization],
    contact: names[contact],
    name,
    category,
  });
  const loops = Object.entries(state.loops).flatMap((one) => describeLoop(one, shown));
  return [
    ...problemList(describeProblems(shown)),
    ...(title === '' ? [] : [`**${title}**`, '']),
    ...table([
      ['Status', state.status],
      ['Participants', state.participants.map((one) => formatParticipant(one, names)).join(', ')],
      ['Messages', String(state.sequence)],
      ['Delayed messages', formatDelayed(state)],
      ['Bot loops', loops.join('; ')],
      ...formatTimer(shown),
      ...formatUndelivered(shown),
      ...(state.snoozedUntil === undefined
        ? []
        : [['Snoozed until', state.snoozedUntil] as [string, string]]),
    ]),
  ].join('\n');
}

function table(rows: [string, string][]): string[] {
  return ['| | |', '|---|---|', ...rows.map(([name, value]) => `| ${name} | ${value || 'none'} |`)];
}

// A list, because table cells run together in Temporal's narrow column.
function problemList(problems: string[]): string[] {
  return problems.length > 0 ? ['**Needs attention**', '', ...problems.map((one) => `- ${one}`), ''] : [];
}

function describeProblems({ state, names, now }: DetailsInput): string[] {
  const offline = state.channelsOffline.length;
  return [
    ...activeBlocks(state, now).map(
      (one) =>
        `${formatName(one.bot, names)} is blocked until ${formatUntil(one)}: ${describeBlockRule(one)}`,
    ),
    ...(isExhausted(state, new Date(now).toISOString())
      ? [`its timers fired ${MAX_FIRINGS} times today and rest until tomorrow (UTC)`]
      : []),
    ...(state.status === 'queued' && offline > 0
      ? [`no member was online in ${offline} of its channels`]
      : []),
  ];
}

function describeBlockRule({ rule }: LoopBlock): string {
  return rule === 'identical'
    ? 'it reached the limit of identical messages within 3 minutes'
    : 'it reached the limit of messages without a reply';
}

function formatParticipant({ user, accepted }: Participant, names: NamesById): string {
  return accepted ? `${formatName(user, names)} (accepted)` : formatName(user, names);
}

function formatDelayed({ pending }: ConversationState): string {
  const next = pending[0];
  return next ? `${pending.length}, next due ${next.dueAt}` : '';
}

function formatTimer({ timer }: DetailsInput): [string, string][] {
  return timer ? [['Next timer', `${escapeMarkdown(timer.timer.name, MAX_NAME)} at ${timer.at}`]] : [];
}

function formatUndelivered({ undelivered }: DetailsInput): [string, string][] {
  if (!undelivered) return [];
  const { touchpoint, at, code, reason } = undelivered;
  const why = [code, reason].map((part) => escapeMarkdown(part, MAX_REASON)).filter(Boolean);
  return [['Not delivered', `${escapeMarkdown(touchpoint, MAX_NAME)} at ${at}: ${why.join(', ')}`]];
}

function describeLoop([bot, counter]: [string, LoopCounter], { state, names, now }: DetailsInput): string[] {
  const counts = loopCounts(counter, now);
  const describeRule = (rule: LoopBlock['rule'], words: string) => {
    const { count, max } = counts[rule];
    if (count === 0) return [];
    const block = activeBlocks(state, now).find((one) => one.bot === bot && one.rule === rule);
    return [`${count} of ${max} ${words}${block ? `, blocked until ${formatUntil(block)}` : ''}`];
  };
  const said = [...describeRule('consecutive', 'unanswered'), ...describeRule('identical', 'the same')];
  return said.length > 0 ? [`${formatName(bot, names)}: ${said.join(', ')}`] : [];
}

export function activeBlocks(state: Pick<ConversationState, 'status' | 'loops'>, now: number): LoopBlock[] {
  return state.status === 'closed' ? [] : loopBlocks(state.loops, now);
}

function formatUntil({ until }: LoopBlock): string {
  return new Date(until).toISOString();
}

function formatName(id: string, names: NamesById): string {
  return escapeMarkdown(names[id] ?? '', MAX_NAME) || id;
}

export function deliveryDetails(report: Omit<DrainReport, 'searchable'>): string {
  const { pending, held, oldest, failing } = report;
  const rows: [string, string][] = [['Pending', String(pending)]];
  if (held) rows.push(['Held back', String(held)]);
  if (oldest) rows.push(['Oldest of', oldest]);
  return [...problemList(failing.map(describeFailure)), ...table(rows), ...replayCommands(failing)].join(
    '\n',
  );
}

export function failingNames({ failing }: Pick<DrainReport, 'failing'>): string[] {
  return [...new Set(failing.slice(0, MAX_SEARCHED).map(formatServiceName))].sort();
}

function replayCommands(failing: FailingService[]): string[] {
  if (failing.length === 0) return [];
  return [
    '',
    'When a service responds again, send its failed deliveries again:',
    '',
    '```',
    ...failing.map(
      ({ service, since, at }) =>
        `curl -X POST "$API/services/${service}/replay" -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '{"since":"${dayBefore(since ?? at)}"}'`,
    ),
    '```',
  ];
}

function describeFailure(one: FailingService): string {
  const { attempt, outcome, status, reason, at, nextAt, disabled } = one;
  const host = one.host === undefined ? 'host unknown' : escapeMarkdown(one.host, MAX_NAME);
  const answered = status === undefined ? outcome.replaceAll('_', ' ') : `${outcome} with ${status}`;
  const why = reason === undefined ? '' : ` (${escapeMarkdown(reason, MAX_REASON)})`;
  const next = disabled ? 'none, the service is disabled' : (nextAt ?? 'none, given up');
  return `${formatServiceName(one)} (${host}): attempt ${attempt} ${answered}${why} at ${at}; next try: ${next}`;
}

function formatServiceName({ service, name }: FailingService): string {
  return escapeMarkdown(name ?? '', MAX_NAME) || service;
}

// The event may be older than the service's first failure.
function dayBefore(time: string): string {
  return new Date(Date.parse(time) - DAY_MS).toISOString().slice(0, 10);
}

const MARKUP = /[[\]<>`\\|*_~\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** Removes the characters of pictures, links and table rows. Cuts the text to `max` characters. */
export function escapeMarkdown(name: string, max: number): string {
  const plain = Array.from(name.replace(MARKUP, ' ').replace(/\s+/g, ' ').trim());
  if (plain.length <= max) return plain.join('');
  const kept = plain.slice(0, max - 1).join('');
  return `${kept.trimEnd()}…`;
}
