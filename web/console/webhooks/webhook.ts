import { formatRelative } from '../parts/time.tsx';
import { TEXTS } from '../texts.ts';

/** What the console shows of services and deliveries (spec 7.1, 7.11). */

export interface WebhookService {
  id: string;
  name: string;
  organization: string;
  user?: string;
  params: { url: string; secret?: string; events?: string[] };
  status: 'pending' | 'active' | 'failed' | 'disabled';
  statusReason?: string;
  verifiedAt?: string;
  failingSince?: string;
}

export interface DeliveryAttempt {
  at: string;
  durationMs: number;
  outcome: string;
  status?: number;
  response?: string;
  reason?: string;
  requests?: number;
  reply?: string;
}

export interface Delivery {
  id: string;
  event: string;
  service: string;
  conversation?: string;
  status: 'pending' | 'delivered' | 'failed' | 'skipped';
  createdAt: string;
  finishedAt?: string;
  nextAttemptAt?: string;
  attemptCount: number;
  attempts?: DeliveryAttempt[];
  body?: unknown;
}

/** How a webhook does, in a word for the eye and in words. */
export function describeHealth({ status, statusReason, failingSince }: WebhookService): {
  kind: string;
  words: string;
} {
  if (status === 'active' && failingSince !== undefined) {
    const since = formatRelative(new Date(failingSince).getTime() - Date.now());
    return { kind: 'failing', words: TEXTS.webhooks.failingSince(since) };
  }
  const words = TEXTS.webhooks.statuses[status];
  return { kind: status, words: statusReason === undefined ? words : `${words}: ${statusReason}` };
}

/** What came of one attempt, in words. */
export function describeOutcome({ outcome, status, reason, requests }: DeliveryAttempt): string {
  const repeated = requests === undefined ? undefined : TEXTS.webhooks.requests(requests);
  return [outcome, status, reason, repeated].filter((part) => part !== undefined).join(' · ');
}

/** A new signing secret, as Standard Webhooks writes them. */
export function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return `whsec_${btoa(String.fromCharCode(...bytes))}`;
}

/** One pattern on each line; without any, everything is heard. */
export function parseEvents(lines: string): { events?: string[] } {
  const events = lines
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter(Boolean);
  return events.length === 0 ? {} : { events };
}
