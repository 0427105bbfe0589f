import { parseMessageId } from './thread.ts';

/** Returns 16 characters of base32 that only this deployment can compute. */
export type Sign = (text: string) => string;

export interface MailTarget {
  /** `reply`: to a conversation. `channel`: to the contact's conversation, by the sender. */
  kind: 'reply' | 'channel';
  /** Id of the conversation or the service. */
  id: string;
}

const ADDRESS = /^(reply|channel)\+([0-9a-f]{24})\.([a-z2-7]{16})@(.+)$/;

/** Returns an address at which Parlance receives mail, in lower case (spec 15.11). */
export function formatMailAddress(
  { kind, id }: MailTarget,
  { domain, sign }: { domain: string; sign: Sign },
): string {
  return `${kind}+${id}.${sign(`${kind} ${id}`)}@${domain}`;
}

/** Returns null for any other address, and for one with a wrong signature. */
export function parseMailAddress(
  address: string,
  { domain, sign }: { domain: string; sign: Sign },
): MailTarget | null {
  const [, kind = '', id = '', tag = '', host = ''] = ADDRESS.exec(address.toLowerCase()) ?? [];
  if (host !== domain || tag !== sign(`${kind} ${id}`)) return null;
  return { kind: kind as MailTarget['kind'], id };
}

/** Returns the part of an address at which a provider posts mail (spec 15.12). */
export function signMailUrl(service: string, sign: Sign): string {
  return sign(`mime ${service}`);
}

export interface MailName {
  conversation: string;
  message: string;
}

/** Returns the Message-ID of a mail. It is the same in every attempt (spec 15.10). */
export function formatMessageId({ conversation, message }: MailName, domain: string, sign: Sign): string {
  return `<${conversation}.${message}.${sign(`mail ${conversation} ${message}`)}@${domain}>`;
}

const OWN_ID = /^<([0-9a-f]{24})\.([0-9a-f]{24})\.([a-z2-7]{16})@([^>]+)>$/;

/** Returns null for the id of another program, and `forged` for a wrong signature. */
export function readMessageId(text: string, domain: string, sign: Sign): MailName | 'forged' | null {
  const id = parseMessageId(text);
  const [, conversation = '', message = '', tag = '', host = ''] =
    OWN_ID.exec((id ?? '').toLowerCase()) ?? [];
  if (host !== domain || conversation === '') return null;
  return tag === sign(`mail ${conversation} ${message}`) ? { conversation, message } : 'forged';
}

export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}
