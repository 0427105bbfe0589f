import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { findConversation, newEntry } from '../support/channels.ts';
import type { ApiClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import type { FakeTwilio } from '../support/fake-twilio.ts';

/** A person who writes by a channel. The provider repeats each post until it is accepted. */
export interface Sender {
  id: string;
  /** Texts of accepted posts, in the order of the posts. */
  acknowledged: string[];
  /** The conversation of the sender's contact. */
  findConversation: () => Promise<string>;
  /** Waits for the current post and stops the sender. */
  end: () => Promise<void>;
}

export interface Provider {
  /** Posts a text of a person. Returns whether the product has accepted it. */
  post: (from: string, text: string) => Promise<boolean>;
  /** Returns the external id of the message that the text becomes. */
  idOf: (from: string, text: string) => string;
}

const REPEATED_EVERY = 3;
/** On a slow machine, a longer backlog takes minutes. */
export const MAX_AHEAD = 5;
const LONG = { withinMs: 180_000, everyMs: 100 };

interface SenderOptions {
  id: string;
  provider: Provider;
  pauseMs: number;
  /** Returns whether there is a message with this external id. */
  isPosted: (externalId: string) => boolean;
}

/**
 * Posts numbered texts until `end` is called, at most `MAX_AHEAD` before the messages of the
 * conversation. Every third text is posted twice at once, as providers do.
 */
export function startSender(
  api: ApiClient,
  { id, provider: { post, idOf }, pauseMs, isPosted }: SenderOptions,
): Sender {
  const acknowledged: string[] = [];
  const ending = new AbortController();
  const textOf = (n: number) => `sms ${n}`;
  const mayGoOn = (n: number) =>
    ending.signal.aborted || n < MAX_AHEAD || isPosted(idOf(id, textOf(n - MAX_AHEAD + 1)));
  const work = (async () => {
    for (let n = 1; !ending.signal.aborted; n += 1) {
      await eventually(async () => {
        const posts = Array.from({ length: n % REPEATED_EVERY === 0 ? 2 : 1 }, () => post(id, textOf(n)));
        return (await Promise.all(posts)).includes(true);
      }, LONG);
      acknowledged.push(textOf(n));
      await eventually(() => mayGoOn(n), LONG);
      await wait(pauseMs);
    }
  })();
  return {
    id,
    acknowledged,
    findConversation: () => findConversation(api, id),
    async end() {
      ending.abort();
      await work;
    },
  };
}

/** An adapter of a channel of type `api`. */
export function adapterProvider(api: ApiClient, service: string): Provider {
  const idOf = (from: string, text: string) => `${from} ${text}`;
  return {
    idOf,
    async post(from, text) {
      const entries = [newEntry(from, text, idOf(from, text))];
      const answer = await api.once.post(`/services/${service}/inbound`, { entries }).catch(() => undefined);
      return isAccepted(text, answer?.status, 202);
    },
  };
}

export function twilioProvider(twilio: FakeTwilio): Provider {
  const idOf = (from: string, text: string) =>
    `SM${createHash('md5').update(`${from} ${text}`).digest('hex')}`;
  return {
    idOf,
    async post(from, text) {
      const fields = { MessageSid: idOf(from, text), Body: text };
      const answer = await twilio.receive(from, fields).catch(() => undefined);
      return isAccepted(text, answer?.status, 200);
    },
  };
}

function isAccepted(text: string, status: number | undefined, expected: number): boolean {
  if (status !== undefined && status < 500 && status !== expected) {
    throw new Error(`${text} was refused: ${status}`);
  }
  return status === expected;
}
