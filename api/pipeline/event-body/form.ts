import type { DomainError } from '../../../domain/errors.ts';
import { assertSafeKey } from '../../../domain/free-form.ts';
import { invalidRequest } from '../../../domain/refusal.ts';
import { MAX_VALUES, assertStorable } from '../../../application/schema/json.ts';
import { decodeWithCharset } from '../media-type.ts';

/**
 * A form as an object: each field is a text, or the list of its texts where it is there several
 * times (spec 8.7). Throws DomainError `invalid_request` for a field that may not be called so, for
 * what is not well encoded, and for more than 40,000 fields. An encoded character is one of the
 * charset, or of UTF-8 in a form in UTF-16.
 */
export function parseForm(bytes: Buffer, charset = 'utf-8'): Record<string, unknown> {
  const isUnicode = charset.startsWith('utf-');
  const text = isUnicode ? decodeWithCharset(bytes, charset) : bytes.toString('latin1');
  const decode = isUnicode ? decodeUnicode : (one: string) => decodeBytes(one, charset);
  const pairs = text.split('&', MAX_VALUES + 1).filter((pair) => pair !== '');
  if (pairs.length > MAX_VALUES) {
    throw invalidRequest('body', `must not hold more than ${MAX_VALUES.toLocaleString('en')} values`);
  }
  const fields = new Map<string, string[]>();
  for (const pair of pairs) {
    const [, name = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(pair)?.map(decode) ?? [];
    assertSafeKey(name, 'body', { dots: 'allowed' });
    const texts = fields.get(name);
    if (texts) texts.push(value);
    else fields.set(name, [value]);
  }
  const form = Object.fromEntries(
    [...fields].map(([name, texts]) => [name, texts.length > 1 ? texts : texts[0]]),
  );
  assertStorable(form);
  return form;
}

function decodeUnicode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw malformedFormError('UTF-8');
  }
}

/** Decodes a text of which every character is one byte, or `%` and the byte in hexadecimal. */
function decodeBytes(text: string, charset: string): string {
  if (/%(?![0-9a-f]{2})/i.test(text)) throw malformedFormError(charset);
  const bytes = text
    .replaceAll('+', ' ')
    .replace(/%(..)/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return decodeWithCharset(Buffer.from(bytes, 'latin1'), charset);
}

function malformedFormError(charset: string): DomainError {
  return invalidRequest(
    'body',
    `is not well-formed form data: a "%" must begin an encoded ${charset} character`,
  );
}
