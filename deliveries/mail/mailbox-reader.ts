import { setTimeout as wait } from 'node:timers/promises';
import { unsealSecrets } from '../../application/channels/secrets.ts';
import type { Encryption } from '../../application/posting/encryption.ts';
import { describeImapFailure, isLastingFailure } from '../../domain/channels/email/imap-outcome.ts';
import type { ImapFailure } from '../../domain/channels/email/imap-outcome.ts';
import { isRefusal } from '../../domain/errors.ts';
import { FairScheduler } from '../../platform/concurrency/fair-scheduler.ts';
import type { Release } from '../../platform/concurrency/fair-scheduler.ts';
import { abortable } from '../../platform/concurrency/with-timeout.ts';
import {
  noteMailboxHealth,
  noteMailboxSeen,
  readsMailbox,
  removeMailbox,
} from '../../store/delivery/mailboxes.ts';
import type { MailboxService } from '../../store/delivery/mailboxes.ts';
import { findReceiver } from '../../store/delivery/service-health.ts';
import type { MailAccount } from '../channels/email/access-token.ts';
import { ImapError, connectMailbox } from '../channels/email/imap.ts';
import type { ImapSockets, MailboxConnection } from '../channels/email/imap.ts';
import { openSecret } from '../channels/open-secret.ts';
import { UNREADABLE } from '../channels/verify.ts';
import { UnfetchedMailError, readMailbox } from './read-mailbox.ts';
import type { StoreMailDeps } from './store-mail.ts';

export interface MailboxReaderDeps extends StoreMailDeps {
  webhooks: ImapSockets;
  secrets: Encryption;
  /** Longest time until a new mail is noticed. */
  pollMs: number;
}

/** Connections of a worker process. Further mailboxes take turns. */
const MAX_CONNECTIONS = 50;
/** After this time a mailbox with many new mails lets another mailbox read. */
const TURN_MS = 30_000;
/** After this time a waiting mailbox ends the wait of an idle connection. */
const PATIENCE_MS = 200;
/** Shorter than the timeout of the activity. */
const MAX_RUN_MS = 2 * 3_600_000;
/** After a refused login, in intervals of `pollMs`: providers lock accounts. */
const MAX_BACKOFF = 10;
/** A connection that ends is opened again after this time, if it is the first failure. */
const RECONNECT_MS = 1_000;
/** A connection that fails so often is a failure of the mailbox. */
const NOTED_FAILURES = 3;

interface Progress {
  /** Failures since the last complete reading. */
  failures: number;
  /** Time of the next attempt, by `performance.now()`. */
  nextAt: number;
  /** Login of the last attempt. */
  login: string;
  /** End of the activity, by `performance.now()`. */
  until: number;
}

/** Reads the mailboxes that Temporal assigns to this worker (spec 15.13). */
export class MailboxReader {
  readonly #deps: MailboxReaderDeps;
  readonly #turns = new FairScheduler({ max: MAX_CONNECTIONS, maxEach: 1 });
  #waiting = 0;
  /** Each function ends the wait of an idle connection. */
  readonly #idle = new Set<() => void>();

  constructor(deps: MailboxReaderDeps) {
    this.#deps = deps;
  }

  /**
   * Reads a mailbox for two hours, or until `signal` aborts. Returns false if the service has no
   * mailbox to read any more. Rejects if the store fails.
   */
  async read(id: string, signal: AbortSignal): Promise<boolean> {
    const progress: Progress = {
      ...{ failures: 0, nextAt: 0, login: '' },
      until: performance.now() + MAX_RUN_MS,
    };
    while (!signal.aborted && performance.now() < progress.until) {
      const service = await findReceiver(id);
      if (!readsMailbox(service)) {
        if (service?.params.imapUrl === undefined) await removeMailbox(id);
        return false;
      }
      await noteMailboxSeen(id);
      if (progress.login !== formatLogin(service)) {
        Object.assign(progress, { failures: 0, nextAt: 0, login: formatLogin(service) });
      }
      if (progress.nextAt <= performance.now()) await this.#attempt(service, progress, signal);
      const restMs = Math.min(progress.nextAt - performance.now(), this.#deps.pollMs);
      if (restMs > 0) await wait(restMs, undefined, { signal }).catch(() => undefined);
    }
    return true;
  }

  async #attempt(service: MailboxService, progress: Progress, signal: AbortSignal): Promise<void> {
    const { pollMs } = this.#deps;
    try {
      progress.nextAt = performance.now() + pollMs;
      await this.#takeTurn(service, progress, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof UnfetchedMailError) {
        if (error.isGivenUp) progress.nextAt = 0;
        return;
      }
      const failure = toFailure(error);
      progress.failures += 1;
      if (isLastingFailure(failure) || progress.failures >= NOTED_FAILURES) {
        await noteMailboxHealth(service, describeImapFailure(failure));
      }
      progress.nextAt = performance.now() + computeRestMs(failure, progress.failures, pollMs);
    }
  }

  async #takeTurn(service: MailboxService, progress: Progress, signal: AbortSignal): Promise<void> {
    const release = await this.#enter(service, signal);
    try {
      await this.#hold(service, progress, signal);
    } finally {
      release();
    }
  }

  async #enter({ organization, _id: id }: MailboxService, signal: AbortSignal): Promise<Release> {
    const entered = this.#turns.enter(['all', organization, id]);
    const timer = setTimeout(() => this.#idle.values().next().value?.(), PATIENCE_MS);
    this.#waiting += 1;
    try {
      return await abortable(entered, signal);
    } catch (error) {
      void entered.then((release) => release());
      throw error;
    } finally {
      this.#waiting -= 1;
      clearTimeout(timer);
    }
  }

  /** Keeps the connection as long as no other mailbox waits for one. */
  async #hold(service: MailboxService, progress: Progress, signal: AbortSignal): Promise<void> {
    const heldSince = performance.now();
    const connection = await this.#connect(service);
    const close = () => connection.close();
    let current = service;
    const isOver = () => signal.aborted || performance.now() > progress.until;
    const mayGoOn = () => !isOver() && (this.#waiting === 0 || performance.now() - heldSince < TURN_MS);
    signal.addEventListener('abort', close);
    try {
      for (;;) {
        progress.nextAt = performance.now() + this.#deps.pollMs;
        const isDone = await readMailbox(this.#deps, { service: current, connection, signal, mayGoOn });
        progress.failures = 0;
        await noteMailboxHealth(current);
        if (!isDone) progress.nextAt = 0;
        else if (this.#waiting === 0) await this.#waitForChange(connection, signal);
        if (isOver() || !isDone || this.#waiting > 0) return;
        const found = await findReceiver(service._id);
        if (!readsMailbox(found) || formatLogin(found) !== progress.login) {
          progress.nextAt = 0;
          return;
        }
        await noteMailboxSeen(service._id);
        current = found;
      }
    } finally {
      signal.removeEventListener('abort', close);
      close();
    }
  }

  async #connect(service: MailboxService): Promise<MailboxConnection> {
    const { webhooks, secrets } = this.#deps;
    const { _id: id, params } = service;
    const { secret } = unsealSecrets(service, secrets.decrypt).params;
    if (secret === undefined) throw new ImapError({ step: 'auth', text: UNREADABLE });
    const openRefreshToken = () => openSecret(secrets, service, 'refreshToken');
    const account: MailAccount = { id, params, secret, openRefreshToken };
    return connectMailbox(webhooks, account);
  }

  /** Resolves after `pollMs` at the latest: servers do not report each new mail. */
  async #waitForChange(connection: MailboxConnection, signal: AbortSignal): Promise<void> {
    const ending = new AbortController();
    const end = () => ending.abort();
    const timer = setTimeout(end, this.#deps.pollMs);
    signal.addEventListener('abort', end);
    this.#idle.add(end);
    try {
      await connection.waitForChange(ending.signal);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      this.#idle.delete(end);
    }
  }
}

/** Returns the time until the next attempt. */
function computeRestMs(failure: ImapFailure, failures: number, pollMs: number): number {
  if (isLastingFailure(failure)) return pollMs * Math.min(2 ** (failures - 1), MAX_BACKOFF);
  return failures === 1 ? Math.min(pollMs, RECONNECT_MS) : pollMs;
}

/** A refresh token changes without an effect on the login. */
function formatLogin({ params, secrets: [name = ''] = [], sealed = {} }: MailboxService): string {
  const { imapUrl, username, tokenUrl, clientId, scope } = params;
  return JSON.stringify([imapUrl, username, tokenUrl, clientId, scope, sealed[name]]);
}

/** Throws errors of the store. Above the quota of files, mails wait in the mailbox. */
function toFailure(error: unknown): ImapFailure {
  if (error instanceof ImapError) return error.failure;
  if (isRefusal(error)) return { step: 'store', text: error.message };
  throw error;
}
