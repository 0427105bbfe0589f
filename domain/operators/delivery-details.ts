import type { DrainReport, FailingService } from '../delivery/drain-report.ts';
import { escapeMarkdown } from './titles.ts';

const MAX_NAME = 60;
const MAX_REASON = 160;
/** A search attribute holds 2 KiB. */
const MAX_SEARCHED = 8;
const DAY_MS = 24 * 3600_000;

/** Returns Markdown for operators (spec 11.2). */
export function deliveryDetails(report: Omit<DrainReport, 'searchable'>): string {
  const { pending, held, oldest, failing } = report;
  return [
    ...(failing.length > 0 ? failingList(failing) : []),
    '| | |',
    '|---|---|',
    `| Pending | ${pending} |`,
    ...(held ? [`| Held back | ${held} |`] : []),
    ...(oldest ? [`| Oldest of | ${oldest} |`] : []),
    ...(failing.length > 0 ? replay(failing) : []),
  ].join('\n');
}

export function failingNames({ failing }: Pick<DrainReport, 'failing'>): string[] {
  return [...new Set(failing.slice(0, MAX_SEARCHED).map(formatServiceName))].sort();
}

// A list, because table cells run together in Temporal's narrow column.
function failingList(failing: FailingService[]): string[] {
  const items = failing.map(
    (one) =>
      `- ${formatServiceName(one)} (${formatHost(one)}): ${describeError(one)}; next try: ${describeNextTry(one)}`,
  );
  return ['**Needs a hand**', '', ...items, ''];
}

function replay(failing: FailingService[]): string[] {
  return [
    '',
    'Once a service answers, what was given up is sent again by:',
    '',
    '```',
    ...failing.map(
      ({ service, since, at }) =>
        `curl -X POST "$API/services/${service}/replay" -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '{"since":"${dayBefore(since ?? at)}"}'`,
    ),
    '```',
  ];
}

function formatServiceName({ service, name }: FailingService): string {
  const shown = escapeMarkdown(name ?? '', MAX_NAME);
  return shown === '' ? service : shown;
}

function formatHost({ host }: FailingService): string {
  return host === undefined ? 'host unknown' : escapeMarkdown(host, MAX_NAME);
}

function describeError({ attempt, outcome, status, reason, at }: FailingService): string {
  const answered = status === undefined ? outcome.replaceAll('_', ' ') : `${outcome} with ${status}`;
  const why = reason === undefined ? '' : ` (${escapeMarkdown(reason, MAX_REASON)})`;
  return `attempt ${attempt} ${answered}${why} at ${at}`;
}

function describeNextTry({ nextAt, disabled }: FailingService): string {
  if (disabled) return 'none, the service is disabled';
  return nextAt ?? 'none, given up';
}

// The failed event may be older than the service's first failure.
function dayBefore(time: string): string {
  return new Date(Date.parse(time) - DAY_MS).toISOString().slice(0, 10);
}
