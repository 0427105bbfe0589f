import { invalidRequest } from '../../domain/refusal.ts';

/** Characters of a challenge: a token, or the sentence that Microsoft Graph sends. */
const CHALLENGE = /^[\w .,:;~+/=@%-]{1,512}$/;

/** A body with a challenge is small; a larger one is an event. */
const MAX_BYTES = 8 * 1024;

type Query = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Returns the challenge in the query of a GET, by which a sender checks an address before it posts:
 * `hub.challenge` (Meta, WebSub) or `challenge` (Dropbox). Null without a challenge. Throws
 * DomainError `invalid_request` for a challenge that does not match `CHALLENGE`.
 */
export function readGetChallenge(query: Query): string | null {
  return query['hub.mode'] === 'subscribe' && query['hub.challenge'] !== undefined
    ? checkChallenge(query['hub.challenge'], 'hub.challenge')
    : readQueryChallenge(query, 'challenge');
}

/** Returns the challenge of a POST without a body: `validationToken` (Microsoft Graph). */
export function readEmptyPostChallenge(query: Query, bytes: Buffer): string | null {
  return bytes.length === 0 ? readQueryChallenge(query, 'validationToken') : null;
}

/** Returns the challenge in a body of the type `url_verification` (Slack). */
export function readBodyChallenge(bytes: Buffer): string | null {
  if (bytes.length > MAX_BYTES || !bytes.includes('url_verification')) return null;
  const { type, challenge } = parseChallengeBody(bytes);
  return type === 'url_verification' && challenge !== undefined
    ? checkChallenge(challenge, 'challenge')
    : null;
}

/**
 * Returns the origin that a sender of CloudEvents names in `WebHook-Request-Origin` of an OPTIONS
 * request (Azure Event Grid), as permission to post; null without the header.
 */
export function requestedOrigin(header: string): string | null {
  if (header === '') return null;
  if (/^[\w.:*-]{1,255}$/.test(header)) return header;
  throw invalidRequest('WebHook-Request-Origin', 'must be a host name');
}

function readQueryChallenge(query: Query, name: string): string | null {
  return query[name] === undefined ? null : checkChallenge(query[name], name);
}

function checkChallenge(challenge: unknown, path: string): string {
  if (typeof challenge === 'string' && CHALLENGE.test(challenge)) return challenge;
  throw invalidRequest(path, 'must be a text of 1 to 512 letters, digits and the characters of tokens');
}

function parseChallengeBody(bytes: Buffer): { type?: unknown; challenge?: unknown } {
  try {
    return (JSON.parse(bytes.toString()) as object | null) ?? {};
  } catch {
    return {};
  }
}
