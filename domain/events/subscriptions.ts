import { matchesPattern } from './event-pattern.ts';
import type { EventName } from './event-name.ts';

/**
 * Statuses of a service (spec 7). Only `active` services receive deliveries. Deliveries for
 * `pending` and `failed` services are held, deliveries for `disabled` services are `skipped`.
 */
export const SERVICE_STATUSES = ['pending', 'active', 'failed', 'disabled'] as const;
export type ServiceStatus = (typeof SERVICE_STATUSES)[number];

/**
 * The parts of a service that decide which events it receives. Contains no URL and no secret, so it
 * may be stored anywhere.
 */
export interface Subscription {
  id: string;
  organization: string;
  status: ServiceStatus;
  /** The bot of a bot webhook. Absent: a general webhook. */
  user?: string;
  /** The last delivery failed. */
  failing?: true;
  /** Patterns. Absent or empty: all events. */
  events?: string[];
}

/** The users that an event of a conversation concerns. */
export interface Audience {
  /** Participants right after the event. */
  participants: readonly string[];
  /** Users and bots that the message mentions. */
  mentioned: readonly string[];
  /** The message is a command that begins with `>`, for all bots, participants or not. */
  addressed: boolean;
  /** Author of the message, on message events only. */
  author?: string;
}

/**
 * Returns whether a service subscribes to an event, regardless of its status (spec 7). `line` is
 * the tenant path of the event's organization. `audience` is absent for events outside a
 * conversation, which bot webhooks do not receive.
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
 * Returns the services that may receive one of the events, with only their matching patterns.
 * Commits store them and must not grow with the number of patterns.
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
