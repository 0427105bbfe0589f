import { ParlanceError } from './error.ts';
import type { Conversation, EventPattern, Message, MessageInput } from './types.ts';
import { verifyWebhook } from './webhook.ts';
import type { WebhookEvent } from './webhook.ts';

export interface BotOptions {
  token: string;
  /** Secret of the bot's webhook, or several secrets during a rotation. */
  secret: string | readonly string[];
  /** Called when a handler fails. Parlance delivers the event again. */
  onError?: (error: unknown, event: WebhookEvent) => void;
}

export interface Heard {
  event: WebhookEvent;
  message: Message;
  conversation: Omit<Conversation, 'messages'>;
  /** Message text without the name of a bot command. */
  text: string;
  /** Adds replies. Chats and cards go to the contact unless `isBackchannel` is true. */
  reply: (...messages: (string | MessageInput)[]) => void;
}

/** The argument of a handler. Only events of messages always have a message and a conversation. */
export type HeardOf<P extends string> = P extends `message${string}` | `>${string}`
  ? Heard
  : Omit<Heard, 'message' | 'conversation'> & Partial<Pick<Heard, 'message' | 'conversation'>>;

export type Handler<P extends string = 'message'> = (heard: HeardOf<P>) => unknown;

export interface Bot {
  /**
   * Adds a handler for a pattern of events (`message.create.*.chat.contact`) or a bot command
   * (`>price`).
   */
  on: <P extends EventPattern | `>${string}`>(what: P, handler: Handler<P>) => Bot;
  /**
   * Responds to a webhook. Events of a conversation are handled in order. A repeated event gets the
   * first response. The bot's own messages are skipped.
   */
  handle: (request: Request) => Promise<Response>;
}

interface BotResponse {
  status: number;
  body?: string;
}

/** Creates a bot that replies in its webhook responses (spec 7.9). */
export function createBot({ token, secret, onError }: BotOptions): Bot {
  const self = readTokenUser(token);
  const handlers: { what: string; handler: Handler }[] = [];
  const once = createOnce<BotResponse>();

  async function runHandlers(event: WebhookEvent): Promise<BotResponse> {
    const replies: MessageInput[] = [];
    const { message, conversation } = event.data;
    if (self !== undefined && message?.createdBy === self) return { status: 204 };
    const heard = { event, message, conversation, reply: createReply(replies) } as Omit<Heard, 'text'>;
    for (const { what, handler } of handlers) {
      const text = matchHandlerText(what, event);
      if (text !== undefined) await handler({ ...heard, text });
    }
    if (replies.length === 0) return { status: 204 };
    return { status: 200, body: JSON.stringify({ token, messages: replies }) };
  }

  const bot: Bot = {
    on(what, handler) {
      handlers.push({ what, handler: handler as Handler });
      return bot;
    },
    async handle(request) {
      // Verification request of a webhook (spec 7.2).
      if (request.method === 'GET') return new Response('ok');
      if (request.method !== 'POST') return new Response(null, { status: 405 });
      const event = await verifyWebhook(request, secret).catch((error: unknown) => {
        if (!(error instanceof ParlanceError)) throw error;
        return new Response(error.message, { status: error.status });
      });
      if (event instanceof Response) return event;
      const job = { id: event.id, lane: event.data.conversation?.id ?? '', run: () => runHandlers(event) };
      const { status, body } = await once(job).catch((error: unknown): BotResponse => {
        onError?.(error, event);
        return { status: 500 };
      });
      const headers: Record<string, string> = body ? { 'content-type': 'application/json' } : {};
      return new Response(body ?? null, { status, headers });
    },
  };
  return bot;
}

function matchHandlerText(what: string, { event, data: { message } }: WebhookEvent): string | undefined {
  const said = message?.text ?? '';
  const role = message && 'role' in message ? message.role : undefined;
  if (!what.startsWith('>')) return matchesPattern(what, event, role) ? said : undefined;
  if (message?.type !== 'command' || !event.startsWith('message.create.')) return undefined;
  const [, name, text = ''] = /^(\S+)\s*([^]*)$/.exec(said) ?? [];
  return name === what ? text : undefined;
}

function createReply(replies: MessageInput[]): Heard['reply'] {
  return (...messages) => {
    for (const given of messages) {
      const message: MessageInput = typeof given === 'string' ? { text: given } : given;
      const isSaid = ['chat', 'card'].includes(message.type ?? 'chat');
      replies.push(isSaid ? { isBackchannel: false, ...message } : message);
    }
  };
}

function readTokenUser(token: string): string | undefined {
  try {
    const [, claims = ''] = token.replace(/^plk_/, '').split('.');
    return (JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/'))) as { _id?: string })._id;
  } catch {
    return undefined;
  }
}

/** Matches as in spec 7.4: a shorter pattern is a prefix, and the fifth word is the role. */
export function matchesPattern(pattern: string, event: string, role = ''): boolean {
  const words = event.startsWith('message.') ? [...event.split('.'), role] : event.split('.');
  const wanted = pattern.split('.');
  return wanted.length <= words.length && wanted.every((word, at) => word === '*' || word === words[at]);
}

interface Job<T> {
  id: string;
  lane: string;
  run: () => Promise<T>;
}

const MAX_REMEMBERED = 1_000;

/**
 * Returns the first result for a repeated id. Jobs with the same lane run in order. A failed job
 * may run again.
 */
function createOnce<T>(): (job: Job<T>) => Promise<T> {
  const results = new Map<string, Promise<T>>();
  const turns = new Map<string, Promise<unknown>>();

  function inTurn({ id, lane, run }: Job<T>): Promise<T> {
    const result = (turns.get(lane) ?? Promise.resolve()).then(run);
    const over = result
      .catch(() => results.delete(id))
      .finally(() => {
        if (turns.get(lane) === over) turns.delete(lane);
      });
    turns.set(lane, over);
    return result;
  }

  return (job) => {
    const result = results.get(job.id) ?? inTurn(job);
    results.delete(job.id);
    results.set(job.id, result);
    const [oldest] = results.keys();
    if (results.size > MAX_REMEMBERED && oldest !== undefined) results.delete(oldest);
    return result;
  };
}
