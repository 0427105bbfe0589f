import { finished } from 'node:stream/promises';
import { SMTPServer } from 'smtp-server';
import type { SMTPServerDataStream, SMTPServerSession } from 'smtp-server';
import { createEncryption } from '../../application/posting/encryption.ts';
import { MAX_MAIL_BYTES } from '../../deliveries/mail/store-mail.ts';
import { parseMailAddress } from '../../domain/channels/email/proof.ts';
import type { MailTarget, Sign } from '../../domain/channels/email/proof.ts';
import { DomainError } from '../../domain/errors.ts';
import type { MailListenerConfig } from '../../platform/config/processes.ts';
import { findMailService } from '../../store/delivery/channels.ts';
import { storeReceivedMail } from './store-received-mail.ts';
import type { MailApi } from './store-received-mail.ts';

const MAX_CLIENTS = 50;
const SILENCE_MS = 60_000;
const CLOSE_MS = 5_000;

export interface MailListener {
  close: () => Promise<void>;
}

/** Receives mail by SMTP or LMTP. Confirms a mail once it is stored (spec 15.11). */
export async function startMailListener(
  api: MailApi,
  { port, domain, protocol, tls }: MailListenerConfig,
): Promise<MailListener> {
  const { sign } = createEncryption(api.config.authSecret);
  const server = new SMTPServer({
    name: domain,
    banner: 'Parlance',
    // It is behind a mail server, and takes mail for signed addresses only.
    disabledCommands: tls ? ['AUTH'] : ['AUTH', 'STARTTLS'],
    ...{ lmtp: protocol === 'lmtp', ...(tls && { cert: tls.certificate, key: tls.key }) },
    ...{ disableReverseLookup: true, size: MAX_MAIL_BYTES, rejectOversized: true },
    ...{ maxClients: MAX_CLIENTS, socketTimeout: SILENCE_MS, closeTimeout: CLOSE_MS },
    maxAllowedUnauthenticatedCommands: false,
    onRcptTo: ({ address }, session, done) => done(checkRecipient(address, session, { domain, sign })),
    onData: (stream, session, done) => {
      takeMail(api, stream, { session, domain, sign }).then(
        () => done(),
        async (error: unknown) => {
          const reply = toReply(error, api);
          await skipRest(stream);
          done(reply);
        },
      );
    },
  });
  server.on('error', (error) => api.log.debug({ err: error }, 'a connection for mail failed'));
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject);
    server.listen(port, api.config.host, resolve);
  });
  return { close: () => new Promise((resolve) => server.close(resolve)) };
}

/** A reply before the end of the mail would be taken for the reply to a command. */
async function skipRest(stream: SMTPServerDataStream): Promise<void> {
  stream.resume();
  await finished(stream, { writable: false }).catch(() => undefined);
}

class Reply extends Error {
  readonly responseCode: number;

  constructor(responseCode: number, message: string) {
    super(message);
    this.responseCode = responseCode;
  }
}

function unknownReply(): Reply {
  return new Reply(550, '5.1.1 There is no such address here');
}

interface Addresses {
  domain: string;
  sign: Sign;
}

function checkRecipient(
  address: string,
  { envelope }: SMTPServerSession,
  addresses: Addresses,
): Reply | null {
  if (!parseMailAddress(address, addresses)) return unknownReply();
  // The sender repeats the others: each belongs to another conversation.
  return envelope.rcptTo.length > 0 ? new Reply(452, '4.5.3 One recipient at a time') : null;
}

async function takeMail(
  api: MailApi,
  stream: SMTPServerDataStream,
  { session: { envelope }, ...addresses }: { session: SMTPServerSession } & Addresses,
): Promise<void> {
  const [{ address: to } = { address: '' }] = envelope.rcptTo;
  const sender = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
  const target = parseMailAddress(to, addresses);
  const service = target && (await findTarget(target));
  if (!service) throw unknownReply();
  await storeReceivedMail(api, { service, to, sender, chunks: readMail(stream) });
}

async function* readMail(stream: SMTPServerDataStream): AsyncGenerator<Buffer> {
  // The connection needs the stream after an error.
  for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    if (!stream.sizeExceeded) yield chunk;
  }
  if (stream.sizeExceeded) throw new Reply(552, '5.3.4 The mail is larger than 25 MiB');
}

async function findTarget({ kind, id }: MailTarget) {
  const service = await findMailService(kind === 'reply' ? { conversation: id } : { service: id });
  return service?.status === 'disabled' ? null : service;
}

function toReply(error: unknown, { log }: Pick<MailApi, 'log'>): Reply {
  if (error instanceof Reply) return error;
  if (error instanceof DomainError && error.code === 'unprocessable') {
    return new Reply(452, '4.2.2 The mailbox is full');
  }
  log.warn({ err: error }, 'a mail could not be stored');
  return new Reply(451, '4.3.0 Please try again later');
}
