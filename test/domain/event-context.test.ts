import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { selectAttributes, selectEventHeaders } from '../../domain/events/event-context.ts';

const SECRET = /auth|cookie|credential|password|secret|session|signature|token/i;

/** Spec 8.11. */
describe('the headers of $event', () => {
  test.each([
    ...['Content-Type', 'User-Agent', 'X-GitHub-Event', 'X-GitHub-Delivery', 'X-Gitlab-Event'],
    ...['X-Shopify-Topic', 'X-Shopify-Shop-Domain', 'X-Shopify-Webhook-Id', 'X-WC-Webhook-Resource'],
    ...['X-Event-Key', 'Linear-Event', 'webhook-id', 'svix-id', 'X-Gitea-Event-Type'],
  ])('the headers of $event have %s', (name) => {
    expect(selectEventHeaders({ [name]: 'x' })).toEqual({ [name.toLowerCase()]: 'x' });
  });

  test.each([
    ...['Authorization', 'Cookie', 'Set-Cookie', 'Proxy-Authorization', 'X-Hub-Signature-256'],
    ...['Stripe-Signature', 'webhook-signature', 'X-CSRF-Token', 'X-Secret-Event', 'X-Session-Topic'],
    ...['Idempotency-Key', 'X-Forwarded-For', 'Host', 'X-Api-Key', 'ce-id', 'x-event "', '__proto__'],
  ])('the headers of $event do not have %s', (name) => {
    expect(selectEventHeaders(Object.fromEntries([[name, 'x']]))).toEqual({});
  });

  test('the headers of $event are few, short and never secret, for all headers of a sender', () => {
    const name = fc.oneof(
      fc.string(),
      fc
        .tuple(
          fc.constantFrom('x-', 'X-Secret-', 'x-my-auth-', 'token-', ''),
          fc.stringMatching(/^[\w-]{0,8}$/),
        )
        .chain(([before, middle]) =>
          fc
            .constantFrom('-event', '-topic', '-event-id', '-delivery')
            .map((end) => `${before}${middle}${end}`),
        ),
    );
    const value = fc.oneof(fc.string({ maxLength: 1_000 }), fc.array(fc.string()));
    fc.assert(
      fc.property(fc.dictionary(name, value, { maxKeys: 60 }), (headers) => {
        const selected = Object.entries(selectEventHeaders(headers));
        expect(selected.length).toBeLessThanOrEqual(20);
        for (const [key, text] of selected) {
          expect(key).toMatch(/^[a-z0-9-]{1,64}$/);
          expect(key).not.toMatch(SECRET);
          expect(text.length).toBeLessThanOrEqual(512);
        }
      }),
    );
  });
});

describe('the attributes of $event', () => {
  test('the attributes of $event have the standard ones first and leave out data and other values', () => {
    const extensions = Array.from({ length: 40 }, (_, at) => [`ext${at}`, at] as const);
    const standard = ['id', 'source', 'type', 'specversion', 'subject', 'time'].map(
      (name) => [name, name] as const,
    );
    const others = [
      ['data', 'x'],
      ['data_base64', 'x'],
      ['Upper', 'x'],
      ['list', [1]],
      ['long', 'x'.repeat(2_049)],
    ] as const;
    const selected = selectAttributes([...others, ...extensions, ...standard]);
    expect(Object.keys(selected)).toHaveLength(30);
    expect(selected).toMatchObject(Object.fromEntries(standard));
    expect(Object.keys(selected).filter((name) => others.some(([other]) => other === name))).toEqual([]);
  });
});
