/** Describes the signature of a sender without a known scheme (spec 8.9). */
export interface HmacSignature {
  /** Header with the signature, or with several parts of which one is the signature. */
  header: string;
  algorithm?: HmacAlgorithm;
  encoding?: HmacEncoding;
  /** Text before the signature, such as `sha256=`. */
  prefix?: string;
  /** Signed text, with `{body}` and other placeholders. Default: `{body}`. */
  content?: string;
  idHeader?: string;
  timestampHeader?: string;
  /** Text before the time, where its header has several parts, such as `t=`. */
  timestampPrefix?: string;
}

/** HMAC with SHA-1 is not broken, and Intercom and Vercel use it. The first is the default. */
export const HMAC_ALGORITHMS = ['sha256', 'sha512', 'sha1'] as const;
export const HMAC_ENCODINGS = ['hex', 'base64'] as const;

export type HmacAlgorithm = (typeof HMAC_ALGORITHMS)[number];
export type HmacEncoding = (typeof HMAC_ENCODINGS)[number];

export const SIGNED_CONTENT = '{body}';

const PLACEHOLDERS = ['body', 'timestamp', 'id', 'url'] as const;

export type Placeholder = (typeof PLACEHOLDERS)[number];

/** Headers that proxies and HTTP libraries set. */
const RESERVED = /^(?:cookie|host|connection|content-.*|transfer-encoding|x-forwarded-.*|forwarded)$/i;

const HEADER_FIELDS = ['header', 'idHeader', 'timestampHeader'] as const;

interface SignatureFault {
  path: keyof HmacSignature;
  rule: string;
}

/** Returns the first fault of a declaration whose fields have the right types. */
export function findSignatureFault(signature: HmacSignature): SignatureFault | null {
  const reserved = HEADER_FIELDS.find((field) => RESERVED.test(signature[field] ?? ''));
  if (reserved) return { path: reserved, rule: 'is a header that proxies and HTTP libraries set' };
  const { content = SIGNED_CONTENT, idHeader, timestampHeader, timestampPrefix } = signature;
  const parts = splitContent(content);
  if (!parts) {
    const names = PLACEHOLDERS.map((name) => `{${name}}`).join(', ');
    return { path: 'content', rule: `may have ${names} in braces, each once, and nothing else in braces` };
  }
  const has = (name: Placeholder) => parts.some((part) => part.placeholder === name);
  if (!has('body')) return { path: 'content', rule: 'needs {body}: else any body would be accepted' };
  if (has('id') && idHeader === undefined) return { path: 'idHeader', rule: 'is needed for {id}' };
  if (has('timestamp') && timestampHeader === undefined) {
    return { path: 'timestampHeader', rule: 'is needed for {timestamp}' };
  }
  if (timestampHeader !== undefined && !has('timestamp')) {
    return { path: 'content', rule: 'needs {timestamp}: an unsigned time gives no protection' };
  }
  if (timestampPrefix !== undefined && timestampHeader === undefined) {
    return { path: 'timestampHeader', rule: 'is needed for timestampPrefix' };
  }
  return null;
}

export type ContentPart =
  | { text: string; placeholder?: undefined }
  | { placeholder: Placeholder; text?: undefined };

/** Returns null for an unknown or repeated placeholder, or a single brace. */
export function splitContent(content: string): ContentPart[] | null {
  const parts = content
    .split(/(\{[^{}]*\})/)
    .filter((part) => part !== '')
    .map((part): ContentPart | null => {
      if (!/[{}]/.test(part)) return { text: part };
      const placeholder = PLACEHOLDERS.find((name) => part === `{${name}}`);
      return placeholder ? { placeholder } : null;
    });
  const known = parts.filter((part) => part !== null);
  const names = known.flatMap(({ placeholder }) => placeholder ?? []);
  return known.length === parts.length && new Set(names).size === names.length ? known : null;
}

/** Returns the parts of a header with several, such as `t=1,v1=ab`, that begin with `prefix`. */
export function selectParts(header: string, prefix = ''): string[] {
  return header
    .split(/[\s,;]+/)
    .filter((part) => part !== '' && part.startsWith(prefix))
    .map((part) => part.slice(prefix.length));
}
