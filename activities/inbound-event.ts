import type { DomainError } from '../domain/errors.ts';
import { evaluateEvent } from '../events/evaluate-event.ts';
import { prepareEvent } from '../events/prepare-event.ts';
import { isRefusal } from '../events/refusal.ts';
import { partsOf } from '../events/result-parts.ts';
import type { PostingDeps } from '../posting/asking.ts';
import { mintFrom } from '../posting/mint.ts';
import { keepEventOutcome, keepEventResult, loadEvent } from '../store/events.ts';
import type { EventContent, EventDocument } from '../store/events.ts';
import { eventTypeModel } from '../store/eventtypes.ts';
import type { ExpressionPool } from '../transform/pool.ts';
import type { InboundEventInput } from '../workflows/contract.ts';

export interface InboundEventDeps {
  posting: PostingDeps;
  expressions: ExpressionPool;
  publicUrl: string;
}

/** The activities of a business event's workflow. Both may be repeated; they reject only when something may work later. */
export function createInboundEventActivities(deps: InboundEventDeps) {
  return {
    /** Runs the event's expression and keeps its result: from then on the event posts this and nothing else. */
    async transformEvent({ id }: InboundEventInput): Promise<void> {
      const stored = await loadEvent(id);
      if (!stored || isEvaluated(stored) || stored.event.status !== 'received') return;
      await unlessRefused(stored.event, async () => {
        const { event, content } = stored;
        const { organization } = event.caller;
        const type = await eventTypeModel.findById(event.eventtype).lean();
        const expression = type?.jsonata;
        const result = await evaluateEvent({ expression, body: content.body, reach: { organization } }, deps);
        await keepEventResult(event, result);
      });
    },

    /** Posts what the expression gave, all of it or nothing, and keeps the outcome. */
    async postEvent({ id }: InboundEventInput): Promise<void> {
      const stored = await loadEvent(id);
      if (!stored || !isEvaluated(stored) || stored.event.status !== 'received') return;
      const progress = { conversations: new Set<string>(), messages: [] as string[] };
      await unlessRefused(stored.event, () => postAll(stored, deps, progress), progress);
    },
  };
}

function isEvaluated({ event, content }: { event: EventDocument; content: EventContent }): boolean {
  return content.evaluated === event.round;
}

interface Progress {
  conversations: Set<string>;
  messages: string[];
}

async function postAll(
  { event, content }: { event: EventDocument; content: EventContent },
  deps: InboundEventDeps,
  progress: Progress,
): Promise<void> {
  const { caller } = event;
  const asking = {
    principal: { ...caller, reach: { organization: caller.organization }, credential: { apiKey: '' } },
    mint: mintFrom(content.seed),
    receivedAt: event.createdAt.toISOString(),
  };
  const parts = await partsOf(content.result);
  for (const { perform } of await prepareEvent(parts, { asking, deps: deps.posting })) {
    const { conversation, messages } = await perform();
    progress.conversations.add(conversation);
    progress.messages.push(...messages);
  }
  const status = parts.length === 0 ? 'ignored' : 'processed';
  await keepEventOutcome(event._id, { status, ...asKept(progress) });
}

async function unlessRefused(
  { _id }: EventDocument,
  work: () => Promise<void>,
  progress: Progress = { conversations: new Set(), messages: [] },
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isRefusal(error)) throw error;
    await keepEventOutcome(_id, { status: 'failed', ...asKept(progress), error: reason(error) });
  }
}

function asKept({ conversations, messages }: Progress): Pick<EventDocument, 'conversations' | 'messages'> {
  return { conversations: [...conversations], messages };
}

function reason({ message, details }: DomainError): { message: string; details?: DomainError['details'] } {
  return { message, ...(details ? { details } : {}) };
}
