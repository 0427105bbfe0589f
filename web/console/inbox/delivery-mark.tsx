import type { Message } from '@parlance/client';
import { Check, CheckCheck, Clock, TriangleAlert } from 'lucide';
import type { IconNode } from 'lucide';
import { Icon } from '../parts/icon.tsx';
import { LOCALE } from '../language.ts';
import { describeFailure } from './conversation.ts';
import { INBOX_WORDS } from './texts.ts';

export type MessageDelivery = NonNullable<Message['delivery']>;

const ICONS: Record<MessageDelivery['status'], IconNode> = {
  queued: Clock,
  sent: Check,
  delivered: CheckCheck,
  read: CheckCheck,
  failed: TriangleAlert,
};

interface Props {
  delivery: MessageDelivery;
  /** Shows the status in words beside the ticks. */
  isLong?: boolean;
}

/** Shows what became of a message that a channel carries (spec 15.4). */
export function DeliveryMark({ delivery, isLong = false }: Props) {
  const { status, at } = delivery;
  const word = INBOX_WORDS.receipts[status];
  const isFailed = status === 'failed';
  return (
    <span class={`receipt ${status}`} title={`${word} · ${new Date(at).toLocaleString(LOCALE)}`}>
      <Icon icon={ICONS[status]} />{' '}
      <span class={isLong || isFailed ? undefined : 'hidden'}>
        {isFailed ? INBOX_WORDS.notDelivered(describeFailure(delivery)) : word}
      </span>
    </span>
  );
}
