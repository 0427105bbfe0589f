import type { DomainError } from '../domain/errors.ts';
import { evaluateEvent } from '../business-events/evaluate-event.ts';
import { prepareEvent } from '../business-events/prepare-event.ts';
import { isRefusal } from '../domain/refusal.ts';
import { partsOf } from '../business-events/result-parts.ts';
import type { PostingDeps } from '../posting/posting-context.ts';
import { seededIds } from '../posting/id-generator.ts';
import { keepEventOutcome, keepEventResult, loadEvent } from '../store/records/business-events.ts';
import type { EventContent, EventDocument } from '../store/records/business-events.ts';
import { eventTypeModel } from '../store/records/eventtypes.ts';
import type { ExpressionPool } from '../expressions/pool.ts';
import type { InboundEventInput } from '../workflows/contract.ts';

export interface InboundEventDeps {
  posting: PostingDeps;
  expressions: ExpressionPool;
  publicUrl: string;
}

/** What it costs to post one part of a result: about as long as a lone message takes. */
const PART_MS = 10;

/**
 * The activities of a business event's workflow. Both may be repeated; they reject only when
 * something may work later. They answer what they cost in milliseconds, as it would be on a machine
 * that does nothing else.
 */
export function createInboundEventActivities(deps: InboundEventDeps) {
  return {
    /**
     * Runs the event's expression and keeps its result: from then on the event posts this and
     * nothing else.
     */
    async transformEvent({ id }: InboundEventInput): Promise<number> {
      const stored = await loadEvent(id);
      if (!stored || isEvaluated(stored) || stored.event.status !== 'received') return 0;
      let costMs = 0;
      await unlessRefused(stored.event, async () => {
        const { event, content } = stored;
        const { name, caller } = event;
        const { organization } = caller;
        const type = await eventTypeModel.findById(event.eventtype).lean();
        const spent = (ms: number) => (costMs = ms);
        const asked = { name, expression: type?.jsonata, body: content.body, reach: { organization }, spent };
        await keepEventResult(event, await evaluateEvent(asked, deps));
      });
      return costMs;
    },

    /** Posts what the expression gave, all of it or nothing, and keeps the outcome. */
    async postEvent({ id }: InboundEventInput): Promise<number> {
      const stored = await loadEvent(id);
      if (!stored || !isEvaluated(stored) || stored.event.status !== 'received') return 0;
      const progress: Progress = { conversations: new Set(), messages: [], parts: 0 };
      await unlessRefused(stored.event, () => postAll(stored, deps, progress), progress);
      return progress.parts * PART_MS;
    },
  };
}

function isEvaluated({ event, content }: { event: EventDocument; content: EventContent }): boolean {
  return content.evaluated === event.round;
}

interface Progress {
  conversations: Set<string>;
  messages: string[];
  /** Of the result, posted or not. */
  parts: number;
}

async function postAll(
  { event, content }: { event: EventDocument; content: EventContent },
  deps: InboundEventDeps,
  progress: Progress,
): Promise<void> {
  const { caller } = event;
  const asking = {
    principal: { ...caller, reach: { organization: caller.organization }, credential: { apiKey: '' } },
    mint: seededIds(content.seed),
    receivedAt: event.createdAt.toISOString(),
  };
  const parts = await partsOf(content.result);
  progress.parts = parts.length;
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
  progress: Pick<Progress, 'conversations' | 'messages'> = { conversations: new Set(), messages: [] },
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isRefusal(error)) throw error;
    await keepEventOutcome(_id, { status: 'failed', ...asKept(progress), error: reason(error) });
  }
}

function asKept({
  conversations,
  messages,
}: Pick<Progress, 'conversations' | 'messages'>): Pick<EventDocument, 'conversations' | 'messages'> {
  return { conversations: [...conversations], messages };
}

function reason({ message, details }: DomainError): { message: string; details?: DomainError['details'] } {
  return { message, ...(details ? { details } : {}) };
}
