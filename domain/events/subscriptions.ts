import { matchesPattern } from './event-pattern.ts';
import type { EventName } from './event-name.ts';

/**
 * Deliveries are sent to `active` services, held for `pending` and `failed` services, and skipped
 * for `disabled` services (spec 7).
 */
export const SERVICE_STATUSES = ['pending', 'active', 'failed', 'disabled'] as const;
export type ServiceStatus = (typeof SERVICE_STATUSES)[number];

/** Contains no URL and no secret. */
export interface Subscription {
  id: string;
  organization: string;
  status: ServiceStatus;
  /** The bot of a bot webhook. Absent: a general webhook. */
  user?: string;
  failing?: true;
  /** The service has no address: its deliveries wait to be pulled. */
  pulled?: true;
  /** Patterns. Absent or empty: all events. */
  events?: string[];
  /** A channel service receives only the messages that it carries (spec 15.2). */
  channel?: true;
}

export interface Audience {
  participants: readonly string[];
  mentioned: readonly string[];
  /** A command with `>` addresses all bots. */
  addressed: boolean;
  /** On message events only: the caller. */
  author?: string;
}

/**
 * Returns whether a service subscribes to an event, regardless of the service's status (spec 7).
 * `line` is the event's tenant path. Without `audience`, returns false for a bot webhook.
 */
export function isSubscribed(
  { id, organization, user, events = [], channel }: Subscription,
  event: EventName,
  { line, audience }: { line: readonly string[]; audience?: Audience | undefined },
): boolean {
  if (channel) return event.carrier === id;
  if (!line.includes(organization)) return false;
  if (user !== undefined && !concernsBot(user, audience)) return false;
  return events.length === 0 || events.some((pattern) => matchesPattern(pattern, event));
}

/**
 * Returns the services that may receive one of the events, with only the first matching pattern for
 * each event.
 */
export function narrowedSubscriptions(
  services: readonly Subscription[],
  events: readonly EventName[],
): Subscription[] {
  const distinct = [...new Map(events.map((event) => [JSON.stringify(event), event])).values()];
  return services.flatMap((service) => {
    const { events: patterns = [], channel } = service;
    if (channel && !events.some(({ carrier }) => carrier === service.id)) return [];
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
