import { matchesPattern } from './event-pattern.ts';
import type { EventName } from './event-name.ts';

/**
 * States of a service (spec 7). Only `active` ones are sent to. What comes for one that is
 * `pending` or `failed` waits for it; what comes for a `disabled` one is kept as `skipped`.
 */
export const SERVICE_STATUSES = ['pending', 'active', 'failed', 'disabled'] as const;
export type ServiceStatus = (typeof SERVICE_STATUSES)[number];

/**
 * What decides whether a service hears an event. Holds no url and no secret, so it may be kept
 * anywhere.
 */
export interface Subscription {
  id: string;
  organization: string;
  status: ServiceStatus;
  /** The bot of a bot webhook; absent: a general webhook. */
  user?: string;
  /** Its last delivery failed. */
  failing?: true;
  /** Patterns; absent or empty: everything. */
  events?: string[];
}

/** Whom an event of a conversation concerns. */
export interface Audience {
  /** Users that took part right after the event. */
  participants: readonly string[];
  /** Users and bots that its message mentions. */
  mentioned: readonly string[];
  /** A command that begins with `>`: meant for bots, also those that do not take part. */
  addressed: boolean;
  /** Who posted the message, for message events only. */
  author?: string;
}

/**
 * Whether a service hears an event, whatever its status (spec 7). `line` holds the ids of the
 * event's organization and all above it; `audience` is absent for events outside a conversation,
 * which bot webhooks do not hear.
 */
export function isSubscribed(
  { organization, user, events = [] }: Subscription,
  event: EventName,
  { line, audience }: { line: readonly string[]; audience?: Audience },
): boolean {
  if (!line.includes(organization)) return false;
  if (user !== undefined && !concernsBot(user, audience)) return false;
  return events.length === 0 || events.some((pattern) => matchesPattern(pattern, event));
}

/**
 * Returns the services that may receive one of the events, each with only the patterns that decide
 * it. So a commit, which keeps them, does not grow with the patterns of a service.
 */
export function narrowedSubscriptions(
  services: readonly Subscription[],
  events: readonly EventName[],
): Subscription[] {
  const distinct = [...new Map(events.map((event) => [JSON.stringify(event), event])).values()];
  return services.flatMap((service) => {
    const { events: patterns = [] } = service;
    if (patterns.length === 0) return [service];
    const deciding = new Set(
      distinct.flatMap((event) => patterns.find((pattern) => matchesPattern(pattern, event)) ?? []),
    );
    return deciding.size > 0 ? [{ ...service, events: [...deciding] }] : [];
  });
}

function concernsBot(bot: string, audience: Audience | undefined): boolean {
  if (!audience || audience.author === bot) return false;
  return audience.addressed || audience.participants.includes(bot) || audience.mentioned.includes(bot);
}
