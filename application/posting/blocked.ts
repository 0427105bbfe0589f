import { Counter } from 'prom-client';
import type { Registry } from 'prom-client';
import { DomainError } from '../../domain/errors.ts';
import { isContactBlocked } from '../../store/conversations/contacts.ts';
import type { PostingContext } from './posting-context.ts';

type Origin = 'page' | 'channel';

const counts: Record<Origin, number> = { page: 0, channel: 0 };

/** Neutral words: the contact does not learn of the block (spec 4.13). */
export class BlockedContactError extends DomainError {
  constructor() {
    super('forbidden', 'Messages cannot be sent here at the moment.');
  }
}

type BlockContext = Pick<PostingContext, 'principal' | 'fromChannel'>;

/** Returns undefined for posts of bots and agents, which are never refused. */
function getOrigin({ principal, fromChannel }: BlockContext): Origin | undefined {
  if (fromChannel) return 'channel';
  return principal.isContact || principal.scope === 'guest' ? 'page' : undefined;
}

/** Throws BlockedContactError for a post of a contact who is blocked. */
export function assertNotBlocked(blocked: boolean | undefined, context: BlockContext): void {
  const origin = getOrigin(context);
  if (!blocked || origin === undefined) return;
  counts[origin] += 1;
  throw new BlockedContactError();
}

/** Throws as `assertNotBlocked` does. */
export async function assertContactNotBlocked(
  contact: string | undefined,
  context: BlockContext,
): Promise<void> {
  if (contact === undefined || getOrigin(context) === undefined) return;
  assertNotBlocked(await isContactBlocked(contact), context);
}

export function registerBlockedPosts(registry: Registry): void {
  new Counter({
    name: 'parlance_blocked_posts_total',
    help: 'Posts of blocked contacts that this process refused, by the page or a channel',
    labelNames: ['origin'],
    registers: [registry],
    collect() {
      this.reset();
      for (const origin of ['page', 'channel'] as const) this.inc({ origin }, counts[origin]);
    },
  });
}
