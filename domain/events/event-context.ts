import { definedFields } from '../record-fields.ts';

export type AttributeValue = string | number | boolean;

/** Headers and attributes of the request that sent an event (spec 8.11). */
export interface EventContext {
  /** Names are in lower case. */
  headers?: Record<string, string>;
  /** Attributes of a CloudEvent. */
  cloudEvent?: Record<string, AttributeValue>;
}

export interface EventFacts extends EventContext {
  id: string;
  name: string;
  /** When the event was accepted, in ISO 8601. */
  time: string;
  /** Organization of the sender. */
  organization: string;
}

const MAX_HEADERS = 20;
const MAX_HEADER_VALUE = 512;

/** Headers that describe an event: `X-GitHub-Event`, `X-Shopify-Topic`, `webhook-id`. */
const ALLOWED =
  /^(?:content-type|user-agent|(?:.+-)?(?:event|event-(?:type|name|key|id)|topic|resource|delivery|delivery-id)|(?:.+-)?webhook-id|svix-id|.+-shop-domain)$/;
/** Words in the names of headers that hold a secret. */
const SECRET = /auth|cookie|credential|password|secret|session|signature|token/;
const NAME = /^[a-z0-9-]{1,64}$/;

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Returns the headers that an expression may read. Leaves out values above 512 characters. */
export function selectEventHeaders(headers: Headers): Record<string, string> {
  const allowed = Object.entries(headers).flatMap(([given, value]) => {
    const name = given.toLowerCase();
    const isAllowed = NAME.test(name) && ALLOWED.test(name) && !SECRET.test(name);
    if (!isAllowed || typeof value !== 'string' || value === '' || value.length > MAX_HEADER_VALUE) return [];
    return [[name, value] as const];
  });
  return Object.fromEntries(allowed.slice(0, MAX_HEADERS));
}

const MAX_ATTRIBUTES = 30;
const MAX_ATTRIBUTE_CHARACTERS = 2_048;
const ATTRIBUTE = /^[a-z0-9]{1,64}$/;
const DATA = ['data', 'data_base64'];

/**
 * Returns the attributes of a CloudEvent. Leaves out extensions above 2,048 characters, and those
 * after the 30th attribute.
 */
export function selectAttributes(
  attributes: Iterable<readonly [string, unknown]>,
): Record<string, AttributeValue> {
  const selected = [...attributes].flatMap(([name, value]): [string, AttributeValue][] =>
    ATTRIBUTE.test(name) && !DATA.includes(name) && isAttributeValue(value) ? [[name, value]] : [],
  );
  const first = selected.toSorted(([one], [other]) => rank(one) - rank(other));
  return Object.fromEntries(first.slice(0, MAX_ATTRIBUTES));
}

/** Attributes of the standard are never left out. */
const STANDARD = [
  ...['id', 'source', 'type', 'specversion'],
  ...['subject', 'time', 'datacontenttype', 'dataschema'],
];

function rank(name: string): number {
  return STANDARD.includes(name) ? 0 : 1;
}

function isAttributeValue(value: unknown): value is AttributeValue {
  if (typeof value === 'string') return value.length <= MAX_ATTRIBUTE_CHARACTERS;
  return typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));
}

interface Accepted {
  _id: string;
  name: string;
  organization: string;
  createdAt: Date;
}

export function buildEventFacts(
  { _id, name, organization, createdAt }: Accepted,
  { headers, cloudEvent }: EventContext,
): EventFacts {
  return {
    id: _id,
    name,
    time: createdAt.toISOString(),
    organization,
    ...definedFields({ headers, cloudEvent }),
  };
}
