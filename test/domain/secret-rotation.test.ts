import { describe, expect, test } from 'vitest';
import { formerSecretsAfter, signingSecrets } from '../../domain/delivery/signing-secret.ts';

const HOUR = 3600 * 1000;
const now = new Date('2026-03-01T12:00:00Z');
const later = (hours: number) => new Date(now.getTime() + hours * HOUR);

describe('a rotated signing secret', () => {
  test('a new signing secret signs together with the former secret for 24 hours, and the signature of the new secret is first', () => {
    const formerSecrets = formerSecretsAfter({ params: { secret: 'old' } }, 'new', now);
    const service = { params: { secret: 'new' }, formerSecrets };
    expect(signingSecrets(service, later(23.9))).toEqual(['new', 'old']);
    expect(signingSecrets(service, later(24))).toEqual(['new']);
  });

  test('each of two former signing secrets signs for 24 hours after it was replaced', () => {
    const first = {
      params: { secret: 'b' },
      formerSecrets: formerSecretsAfter({ params: { secret: 'a' } }, 'b', now),
    };
    const formerSecrets = formerSecretsAfter(first, 'c', later(10));
    const service = { params: { secret: 'c' }, formerSecrets };
    expect(signingSecrets(service, later(20))).toEqual(['c', 'b', 'a']);
    expect(signingSecrets(service, later(30))).toEqual(['c', 'b']);
  });

  test('a rotation keeps only the latest two former signing secrets', () => {
    let service: Parameters<typeof formerSecretsAfter>[0] = { params: { secret: 's0' } };
    for (let at = 1; at <= 20; at += 1) {
      const secret = `s${at}`;
      service = { params: { secret }, formerSecrets: formerSecretsAfter(service, secret, now) };
    }
    expect(service.formerSecrets).toHaveLength(2);
    expect(signingSecrets(service, now)).toEqual(['s20', 's19', 's18']);
    const crowded = Array.from({ length: 100 }, (_, at) => ({ secret: `f${at}`, until: later(5) }));
    const stored = { params: { secret: 's' }, formerSecrets: crowded };
    expect(signingSecrets(stored, now)).toEqual(['s', 'f0', 'f1']);
  });

  test('a current or former signing secret with an empty key does not sign', () => {
    const former = { secret: 'whsec_', until: later(5) };
    expect(signingSecrets({ params: { secret: 'whsec_!!!!' } }, now)).toEqual([]);
    expect(signingSecrets({ params: { secret: 's' }, formerSecrets: [former] }, now)).toEqual(['s']);
  });

  test('a signing secret that is set again is not kept as a former secret too', () => {
    const kept = formerSecretsAfter({ params: { secret: 'a' } }, 'a', now);
    expect(kept).toEqual([]);
    const away = {
      params: { secret: 'b' },
      formerSecrets: formerSecretsAfter({ params: { secret: 'a' } }, 'b', now),
    };
    const back = formerSecretsAfter(away, 'a', later(1));
    expect(signingSecrets({ params: { secret: 'a' }, formerSecrets: back }, later(2))).toEqual(['a', 'b']);
  });

  test('a removed signing secret does not sign, and the first signing secret has no former secret', () => {
    const former = { secret: 'old', until: later(5) };
    expect(formerSecretsAfter({ params: { secret: 'a' }, formerSecrets: [former] }, undefined, now)).toEqual(
      [],
    );
    expect(signingSecrets({ params: {}, formerSecrets: [former] }, now)).toEqual([]);
    expect(formerSecretsAfter({ params: {} }, 'first', now)).toEqual([]);
  });
});
