import type { Context } from 'koa';
import { describe, expect, test } from 'vitest';
import { readEvent, readSignedEvent } from '../../api/pipeline/event-body.ts';

const JSON_TEXT = '{"text":"café"}';
const FORM_TYPE = 'application/x-www-form-urlencoded';

function requestOf(type: string, more: Record<string, string> = {}): Context {
  const headers: Record<string, string> = { 'Content-Type': type, ...more };
  return { headers, get: (name: string) => headers[name] ?? '' } as unknown as Context;
}

/** Spec 2.1 and 8.7. */
describe('the body of a business event', () => {
  test.each([
    ['text/plain; charset=UTF-8', Buffer.from(JSON_TEXT)],
    ['text/plain', Buffer.from('text=caf%C3%A9')],
    ['application/vnd.shop.order+json', Buffer.from(JSON_TEXT)],
    ['application/octet-stream', Buffer.from(JSON_TEXT)],
    ['', Buffer.from(JSON_TEXT)],
    ['application/json, application/json', Buffer.from(JSON_TEXT)],
    ['application/json; charset=iso-8859-1', Buffer.from(JSON_TEXT, 'latin1')],
    ['application/json; charset=iso-8859-1', Buffer.from(JSON_TEXT)],
    ['text/json; charset="windows-1252"', Buffer.from(JSON_TEXT, 'latin1')],
    ['application/json; charset=us-ascii', Buffer.from(JSON_TEXT)],
    ['application/json; charset=us-ascii', Buffer.from(JSON_TEXT, 'latin1')],
    [`${FORM_TYPE}; charset=ascii`, Buffer.from('text=caf%C3%A9')],
    ['application/json; charset=utf-16', Buffer.from(JSON_TEXT, 'utf16le')],
    [`${FORM_TYPE}; charset=ISO-8859-1`, Buffer.from('text=caf%E9')],
    [`${FORM_TYPE}; charset=ISO-8859-1`, Buffer.from('text=café', 'latin1')],
  ])('the body of a business event is parsed if the Content-Type is "%s"', (type, bytes) => {
    expect(readEvent(requestOf(type), bytes).body).toEqual({ text: 'café' });
  });

  test('the body of a business event may contain the euro sign and quotes of windows-1252', () => {
    const bytes = Buffer.from([0x22, 0x80, 0x92, 0x22]);
    expect(readEvent(requestOf('text/plain; charset=windows-1252'), bytes).body).toBe('€’');
  });

  test.each([
    ['an unknown charset', requestOf('application/json; charset=klingon'), /"klingon"/],
    ['two types', requestOf('application/json, text/plain'), /Content-Type/],
    ['the type text/html', requestOf('text/html'), /Content-Type/],
    ['text/plain and a cookie', requestOf('text/plain', { Cookie: 'a=b' }), /Content-Type/],
  ])('the body of a business event is rejected with %s', (_, request, said) => {
    expect(() => readEvent(request, Buffer.from(JSON_TEXT))).toThrow(said);
  });

  test('the body of a signed business event that is valid UTF-8 is decoded as UTF-8, regardless of the declared charset', () => {
    const request = requestOf('text/plain; charset=shift_jis');
    expect(readSignedEvent(request, Buffer.from(JSON_TEXT)).body).toEqual({ text: 'café' });
  });
});
