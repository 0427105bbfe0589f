import type { InboundEntry } from '../../application/channels/inbound.ts';
import type { Bar } from '../../domain/channels/channel-type.ts';
import type { Sign } from '../../domain/channels/email/proof.ts';
import type { Outcome, SendingNote } from '../../domain/channels/outcome.ts';
import type { Receipt } from '../../domain/channels/receipt.ts';
import type { Attempt } from '../../domain/delivery/delivery.ts';
import type { Envelope } from '../../domain/events/envelope.ts';
import type { QueuedDelivery } from '../../store/delivery/queue.ts';
import type { ServiceDocument } from '../../store/delivery/services.ts';
import type { FileContents } from '../../store/files/contents.ts';
import type { WebhookClient } from '../http/client.ts';

/** Never contacts a private address. */
export type ProviderClient = Pick<WebhookClient, 'requestProvider' | 'openSocket' | 'findAddresses'>;

export interface ChannelMessage {
  delivery: QueuedDelivery;
  service: ServiceDocument;
  envelope: Envelope;
  recipient: { id: string; touchpoint: string };
  /** The current secret first. */
  secrets: readonly string[];
  /** The provider's ids of earlier sendings. */
  formerIds: readonly string[];
}

export interface Sent {
  outcome: Outcome;
  log: Omit<Attempt, 'at'>;
  /** Null: no part has an unknown outcome. */
  note?: SendingNote | null;
  /** The provider's ids of the parts, if it has no idempotency key. */
  externalIds?: readonly string[];
}

export interface StoredSecret {
  value: string | undefined;
  /** Does nothing if another process has replaced it. */
  replace: (next: string) => Promise<void>;
}

export interface SendDeps {
  webhooks: ProviderClient;
  publicUrl: string;
  /** Replies to mail go to this domain, else to the address of the channel. */
  mailDomain: string | undefined;
  sign: Sign;
  files: Pick<FileContents, 'read'>;
  /** Reads a further secret of the channel by its name. */
  openSecret: (name: string) => Promise<StoredSecret>;
  noteSending: (note: SendingNote) => Promise<void>;
  /** Selects the provider's ids that other messages have. */
  findKnownIds: (externalIds: readonly string[]) => Promise<Set<string>>;
}

export interface ChannelAccount {
  id: string;
  params: ServiceDocument['params'];
  secret: string;
  /** Only of type `email`. */
  refreshToken?: string | undefined;
  /** As `connect` returned it. */
  before?: string | undefined;
}

export interface ConnectDeps {
  webhooks: ProviderClient;
  publicUrl: string;
}

/** `path`: the refused field, absent if the provider could not be reached. */
export type Connected =
  | {
      name: string;
      before?: string | undefined;
      refreshToken?: string | undefined;
      takesMedia: boolean;
    }
  | { path?: string; problem: string };

/** `url`: the public address, never the Host of the request. */
export interface ProviderPost {
  url: string;
  header: (name: string) => string;
  bytes: Buffer;
}

export interface ProviderReceipt extends Omit<Receipt, 'at'> {
  bar?: Bar | undefined;
}

export interface ChannelProvider {
  /** Sets the provider's webhook unless `isDry`. */
  connect: (deps: ConnectDeps, account: ChannelAccount, options: { isDry: boolean }) => Promise<Connected>;
  /** Rejects only when `signal` aborts it, or the store fails. */
  send: (deps: SendDeps, message: ChannelMessage, signal: AbortSignal) => Promise<Sent>;
  /** Absent: the provider posts nothing to Parlance. */
  posts?: ProviderPosts;
  /** Buttons are numbered lines, and a reply of a number is a postback. */
  hasNumberedButtons: boolean;
}

export interface ProviderPosts {
  /** Restores the former webhook, unless it has changed since. */
  disconnect: (deps: ConnectDeps, account: ChannelAccount) => Promise<void>;
  isGenuine: (post: ProviderPost, secrets: readonly string[]) => boolean;
  /** Throws Error with the reason if the post has no message. */
  parseMessage: (bytes: Buffer) => InboundEntry;
  parseReceipt: (post: Pick<ProviderPost, 'url' | 'bytes'>) => ProviderReceipt | null;
  /** Returns undefined for an address that is not the provider's. */
  authorizeFile: (account: Omit<ChannelAccount, 'id' | 'before'>, url: URL) => string | undefined;
  answer: { type: string; body: string };
}
