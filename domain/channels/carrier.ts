import type { Touchpoint } from '../conversations/conversation.ts';
import { DomainError, unprocessable } from '../errors.ts';
import type { ErrorCode } from '../errors.ts';
import type { MessageDraft, MessageType } from '../messages/message.ts';
import type { ChannelFacts } from './channel-type.ts';
import type { MessageDelivery } from './receipt.ts';

const CARRIED_TYPES: readonly MessageType[] = ['chat', 'card'];

type Carriable = Pick<MessageDraft, 'type' | 'role' | 'isBackchannel' | 'service' | 'touchpoint' | 'facts'>;

/** Returns whether a channel can carry a message of an agent or bot (spec 15.2). */
export function isCarriable({ type, role, isBackchannel }: Carriable): boolean {
  return !isBackchannel && CARRIED_TYPES.includes(type) && (role === 'agent' || role === 'bot');
}

/**
 * Returns the service that carries a message: the named service, else the last service of the named
 * or selected touchpoint, else the only service of that touchpoint (spec 15.2). Undefined: the
 * message stays on the chat page.
 */
export function chooseCarrier(
  touchpoints: Readonly<Record<string, Touchpoint>>,
  draft: Carriable,
): ChannelFacts | undefined {
  const { carriers } = draft.facts ?? {};
  if (!carriers || !isCarriable(draft)) return undefined;
  const { services, named } = carriers;
  if (draft.service !== undefined) return services.find(({ id }) => id === draft.service);
  const code = named ? draft.touchpoint : findSelected(touchpoints);
  const possible = services.filter(({ touchpoint }) => touchpoint === code);
  const used = code !== undefined && Object.hasOwn(touchpoints, code) ? touchpoints[code]?.services : [];
  const last = used?.findLast((id) => possible.some((one) => one.id === id));
  return possible.find(({ id }) => id === last) ?? (possible.length === 1 ? possible[0] : undefined);
}

function findSelected(touchpoints: Readonly<Record<string, Touchpoint>>): string | undefined {
  return Object.entries(touchpoints).find(([, { selected }]) => selected)?.[0];
}

/** Throws DomainError `no_address`, `opted_out`, `unreachable` or `unprocessable` (spec 15.3). */
export function assertCarriable(carrier: ChannelFacts, { facts, touchpoint }: Carriable): void {
  if (facts?.carriers?.named && touchpoint !== carrier.touchpoint) {
    throw unprocessable(`differs from the touchpoint of the service, ${carrier.touchpoint}`, 'touchpoint');
  }
  const refusal = findRefusal(carrier);
  if (refusal) throw new DomainError(refusal.code, refusal.message);
}

const REFUSALS = {
  no_address: 'The contact has no address on the channel of this message.',
  opted_out: 'The contact has opted out of the channel of this message.',
  unreachable: 'The contact cannot be reached at the address on the channel of this message.',
} as const satisfies Partial<Record<ErrorCode, string>>;

export type CarrierRefusal = keyof typeof REFUSALS;

/** Returns why a service cannot carry to the contact, or null. */
export function findRefusal({
  address,
  barred,
}: Pick<ChannelFacts, 'address' | 'barred'>): { code: CarrierRefusal; message: string } | null {
  const code = barred ?? (address === undefined ? 'no_address' : null);
  return code && { code, message: REFUSALS[code] };
}

/** Returns the fields of a message that a service carries. */
export function carriedFields(
  { id, type, touchpoint }: ChannelFacts,
  now: string,
): { service: string; serviceType: string; touchpoint: string; delivery: MessageDelivery } {
  return { service: id, serviceType: type, touchpoint, delivery: { status: 'queued', at: now, service: id } };
}
