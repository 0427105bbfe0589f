import type { Delivery, Service } from '@parlance/client';
import { formatRelative } from '../parts/relative-time.ts';
import { webhooks as WEBHOOK_WORDS } from './texts.ts';

export type DeliveryAttempt = Delivery['attempts'][number];

export function describeHealth({ status, statusReason, failingSince }: Service) {
  if (status === 'active' && failingSince !== undefined) {
    const since = formatRelative(new Date(failingSince));
    return { kind: 'failing', words: WEBHOOK_WORDS.failingSince(since) };
  }
  const words = WEBHOOK_WORDS.statuses[status];
  return { kind: status, words: statusReason === undefined ? words : `${words}: ${statusReason}` };
}

export function describeOutcome(
  attempt: Omit<DeliveryAttempt, 'at' | 'outcome'> & { outcome: string },
): string {
  const { outcome, status, reason, requests } = attempt;
  const repeated = requests === undefined ? undefined : WEBHOOK_WORDS.requests(requests);
  const end = WEBHOOK_WORDS.outcomes[outcome] ?? outcome;
  return [end, status, reason, repeated].filter((part) => part !== undefined).join(' · ');
}

export function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return `whsec_${btoa(String.fromCharCode(...bytes))}`;
}

export function parseEvents(lines: string): string[] | undefined {
  const events = lines
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter(Boolean);
  return events.length === 0 ? undefined : events;
}
