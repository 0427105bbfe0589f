import { formatRelative } from '../parts/time.tsx';
import { TEXTS } from '../texts.ts';

/** Services and deliveries as the console displays them (spec 7.1, 7.11). */

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

export function describeOutcome({ outcome, status, reason, requests }: DeliveryAttempt): string {
  const repeated = requests === undefined ? undefined : TEXTS.webhooks.requests(requests);
  return [outcome, status, reason, repeated].filter((part) => part !== undefined).join(' · ');
}

/** Returns a secret in the format of Standard Webhooks. */
export function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return `whsec_${btoa(String.fromCharCode(...bytes))}`;
}

/** Without a pattern the webhook receives all events. */
export function parseEvents(lines: string): { events?: string[] } {
  const events = lines
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter(Boolean);
  return events.length === 0 ? {} : { events };
}
