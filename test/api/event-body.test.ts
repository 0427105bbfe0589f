import type { Context } from 'koa';
import { DomainError } from '../../domain/errors.ts';
import { describe, expect, test } from 'vitest';
import { ingestKey } from '../../api/ingest/addresses.ts';
import { readEvent, readMultipartForm, readSignedEvent } from '../../api/pipeline/event-body.ts';
import { cpuRatio } from '../support/cpu-time.ts';

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

  const form = (...parts: string[]) =>
    Buffer.from([...parts.map((part) => `--b\r\n${part}\r\n`), '--b--\r\n'].join(''));
  const field = (name: string, value: string, more = '') =>
    `Content-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}`;
  const multipart = requestOf('multipart/form-data; boundary=b');

  test('a business event as a form with files consists of its texts', async () => {
    const file = field('photo', 'bytes', '; filename="dent.jpg"\r\nContent-Type: image/jpeg');
    const json = field('payload', '{"a":1}', '\r\nContent-Type: application/json; charset=utf-8');
    const read = readMultipartForm(multipart, form(field('text', 'café'), file, json, field('text', 'tea')));
    expect(await read).toEqual({ body: { text: ['café', 'tea'], payload: '{"a":1}' }, files: ['dent.jpg'] });
  });

  test.each([
    ['no boundary', requestOf('multipart/form-data'), form(field('a', '1'))],
    ['another boundary', requestOf('multipart/form-data; boundary=c'), form(field('a', '1'))],
    ['no end', multipart, form(field('a', '1')).subarray(0, -6)],
    ['no form', multipart, Buffer.from('garbage')],
    ['no body', multipart, Buffer.alloc(0)],
    ['a part without a name', multipart, form('Content-Disposition: form-data\r\n\r\nx')],
    [
      'endless headers',
      multipart,
      form(`Content-Disposition: form-data; ${'a="b";'.repeat(99_999)}\r\n\r\nx`),
    ],
    ['a name that no field may have', multipart, form(field('__proto__', '1'))],
    ['too many parts', multipart, form(...Array.from({ length: 1_100 }, (_, at) => field(`f${at}`, '1')))],
    [
      'too many files',
      multipart,
      form(...Array.from({ length: 1_100 }, () => field('f', '1', '; filename="a"'))),
    ],
  ])('a business event as a form is rejected with %s', async (_, request, bytes) => {
    await expect(readMultipartForm(request, bytes)).rejects.toBeInstanceOf(DomainError);
  });

  test.each(['latin1', 'gb18030'])(
    'the percent-encodings of a form in %s cost about as much as those of a form in UTF-8',
    async (charset) => {
      const bytes = Buffer.from(`a=${'%41'.repeat(340_000)}`);
      const ratio = await cpuRatio({
        run: () => readEvent(requestOf(`${FORM_TYPE}; charset=${charset}`), bytes),
        honest: () => readEvent(requestOf(FORM_TYPE), bytes),
        enough: 3,
      });
      expect(ratio).toBeLessThan(3);
    },
  );

  test.each(['a=%', 'a=%4', 'a=%4g', 'a=%g4', 'a=%%41'])('the form %s is rejected in Latin-1', (text) => {
    const request = requestOf(`${FORM_TYPE}; charset=latin1`);
    expect(() => readEvent(request, Buffer.from(text))).toThrow(/well-formed/);
  });

  test.each(['stripe', 'slack', 'standard-webhooks'] as const)(
    'a signed CloudEvent from %s is one event under every Content-Type',
    (signature) => {
      const attributes = { specversion: '1.0', id: 'evt_1', source: 's', type: 't' };
      const data = { id: 'evt_2', event_id: 'evt_2' };
      const bytes = Buffer.from(JSON.stringify({ ...attributes, event_id: 'evt_1', data }));
      const types = ['application/json', 'application/cloudevents+json', 'text/plain'];
      const posts = types.map((type) => {
        const sent = readSignedEvent(requestOf(type), bytes);
        const header = () => '';
        return { body: sent.body, key: ingestKey({ signature, name: 'e', header, bytes, sent }) };
      });
      expect(posts).toEqual([posts[0], posts[0], posts[0]]);
      expect(posts[0]?.body).toEqual(data);
    },
  );

  test('a signed event without specversion is JSON under every Content-Type', () => {
    const request = requestOf('application/cloudevents+json');
    expect(readSignedEvent(request, Buffer.from(JSON_TEXT)).body).toEqual({ text: 'café' });
  });
});
