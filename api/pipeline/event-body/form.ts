import { refuseKey } from '../../../domain/free-form.ts';
import { invalidRequest } from '../../../domain/refusal.ts';
import { MAX_VALUES, refuseUnstorable } from '../../../schema/json.ts';

/**
 * A form as an object: each field is a text, or the list of its texts where it is there several
 * times (spec 8.7). Throws DomainError `invalid_request` for a field that may not be called so, for
 * what is not well encoded, and for more than 40,000 fields.
 */
export function parseForm(text: string): Record<string, unknown> {
  const pairs = text.split('&', MAX_VALUES + 1).filter((pair) => pair !== '');
  if (pairs.length > MAX_VALUES) {
    throw invalidRequest('body', `must not hold more than ${MAX_VALUES.toLocaleString('en')} values`);
  }
  const fields = new Map<string, string[]>();
  for (const pair of pairs) {
    const [, name = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(pair)?.map(decoded) ?? [];
    refuseKey(name, 'body', { dots: 'allowed' });
    const texts = fields.get(name);
    if (texts) texts.push(value);
    else fields.set(name, [value]);
  }
  const form = Object.fromEntries(
    [...fields].map(([name, texts]) => [name, texts.length > 1 ? texts : texts[0]]),
  );
  refuseUnstorable(form);
  return form;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalidRequest('body', 'is not well-formed form data: a "%" must begin an encoded UTF-8 character');
  }
}
