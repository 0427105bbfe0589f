/** How a mailbox could not be read. */
export interface ImapFailure {
  /** The step: address and TLS, a connection, an access token, the login, INBOX, or our store. */
  step: 'server' | 'connection' | 'token' | 'auth' | 'inbox' | 'store';
  /** Response code of RFC 5530, such as `AUTHENTICATIONFAILED`. */
  code?: string | undefined;
  /** The reply of the server, else the cause of a missing reply. */
  text: string;
}

const MAX_REASON = 500;

/** Codes of a server that may accept the same login later. */
const TEMPORARY_CODES = ['UNAVAILABLE', 'INUSE', 'LIMIT', 'SERVERBUG', 'OVERQUOTA', 'THROTTLED'];
const TEMPORARY_WORDS =
  /\b(?:too many|try (?:again|later)|temporar\w*|simultaneous|rate|throttl\w*|unavailable)\b/i;

/** Returns whether the mailbox stays closed until the channel or the account changes. */
export function isLastingFailure({ step, code = '', text }: ImapFailure): boolean {
  if (step === 'connection' || TEMPORARY_CODES.includes(code.toUpperCase())) return false;
  return (step !== 'auth' && step !== 'inbox') || !TEMPORARY_WORDS.test(text);
}

const STEPS: Readonly<Record<ImapFailure['step'], string>> = {
  server: 'The IMAP server cannot be used',
  connection: 'The IMAP server could not be reached',
  token: 'The mail provider did not give an access token',
  auth: 'The IMAP server did not accept the login',
  inbox: 'The IMAP server did not open INBOX',
  store: 'New mail waits in the mailbox',
};

export function describeImapFailure({ step, text }: ImapFailure): string {
  const line = text.replace(/\s+/g, ' ').trim().replace(/\.$/, '').slice(0, MAX_REASON);
  return line === '' ? `${STEPS[step]}.` : `${STEPS[step]}: ${line}.`;
}

/** Returns the param to correct, or undefined if the failure may pass (spec 15.13). */
export function findWrongImapParam(failure: ImapFailure, { isOAuth }: { isOAuth: boolean }) {
  if (!isLastingFailure(failure)) return undefined;
  if (failure.step === 'token') return 'params.clientSecret';
  if (failure.step === 'auth') return isOAuth ? 'params.username' : 'params.password';
  return 'params.imapUrl';
}
