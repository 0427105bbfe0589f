import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_LABELS, MAX_LABEL_CHARACTERS, parseLabel } from '../../domain/conversations/labels.ts';
import { agent, conversation, post, stateAfter } from '../support/conversations.ts';

const command = (text: string) => [{ type: 'command' as const, text }] as const;

/** Spec 5.17 */
describe('the commands /label and /unlabel', () => {
  test.each([
    [undefined, '/label VIP', ['vip']],
    [['vip'], '/label Late  delivery', ['vip', 'late delivery']],
    [['vip', 'late'], '/label Vip', ['vip', 'late']],
    [['vip', 'late'], '/unlabel VIP', ['late']],
    [['vip'], '/unlabel vip', undefined],
    [['vip'], '/unlabel late', ['vip']],
    [undefined, '/unlabel vip', undefined],
  ])('the labels %j become, by %s, %j', (labels, text, expected) => {
    const state = stateAfter(conversation(labels ? { labels } : {}), agent, ...command(text));
    expect(state.labels).toEqual(expected);
  });

  test.each([
    '/label',
    '/label  ',
    '/label \u200b',
    `/label ${'x'.repeat(MAX_LABEL_CHARACTERS + 1)}`,
    '/unlabel',
  ])('the command %j is refused', (text) => {
    expect(() => post(conversation(), agent, ...command(text))).toThrow(
      expect.objectContaining({ code: 'unprocessable' }),
    );
  });

  test('a label above the limit is refused, and a label that is already there is not', () => {
    const labels = Array.from({ length: MAX_LABELS }, (_, at) => `label ${at}`);
    const full = conversation({ labels });
    expect(() => post(full, agent, ...command('/label another'))).toThrow(/at most 20 labels/);
    expect(stateAfter(full, agent, ...command('/label LABEL 3')).labels).toEqual(labels);
  });

  test('a label that is parsed again stays the same', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 20 }), (text) => {
        const parse = (given: string) => {
          try {
            return parseLabel(given);
          } catch {
            return undefined;
          }
        };
        const label = parse(text);
        if (label !== undefined) expect(parse(label)).toBe(label);
      }),
    );
  });
});
