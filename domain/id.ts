import { invalidRequest } from './errors.ts';

/** The format of ids (spec 2.1). */
export const ID = /^[0-9a-f]{24}$/;

export function parseId(text: string, name: string): string {
  if (!ID.test(text)) throw invalidRequest(name, 'must be an id, 24 hexadecimal digits');
  return text;
}
