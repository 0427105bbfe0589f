import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  RECEIPT_STATUSES,
  deliveryAfter,
  rankStatus,
  statusesBelow,
} from '../../../domain/channels/receipt.ts';
import type { MessageDelivery, Receipt } from '../../../domain/channels/receipt.ts';

const queued: MessageDelivery = { status: 'queued', at: '2026-03-14T09:00:00.000Z', service: 's1' };
const receipt = (status: Receipt['status'], more: Partial<Receipt> = {}): Receipt => ({
  status,
  at: '2026-03-14T09:00:01.000Z',
  ...more,
});
const after = (receipts: readonly Receipt[]) => receipts.reduce(deliveryAfter, queued);

/** Spec 15.4. */
describe('the delivery status of a message', () => {
  test('receipts in any order and any number lead to the highest status, and no receipt lowers it', () => {
    const receipts = fc.array(fc.constantFrom(...RECEIPT_STATUSES), { maxLength: 12 });
    fc.assert(
      fc.property(receipts, (statuses) => {
        let delivery = queued;
        for (const status of statuses) {
          const next = deliveryAfter(delivery, receipt(status));
          expect(rankStatus(next.status)).toBeGreaterThanOrEqual(rankStatus(delivery.status));
          delivery = next;
        }
        const highest = Math.max(0, ...statuses.map(rankStatus));
        expect(rankStatus(delivery.status)).toBe(highest);
      }),
    );
  });

  test('read without delivered stands, and a late delivered changes nothing', () => {
    expect(after([receipt('read'), receipt('delivered'), receipt('sent')]).status).toBe('read');
  });

  test('failed does not replace delivered, and delivered replaces failed with its error', () => {
    const error = { code: '30003', message: 'unreachable' };
    expect(after([receipt('delivered'), receipt('failed', { error })])).not.toHaveProperty('error');
    expect(after([receipt('failed', { error })])).toMatchObject({ status: 'failed', error });
    expect(after([receipt('failed', { error }), receipt('delivered')])).toEqual({
      status: 'delivered',
      at: '2026-03-14T09:00:01.000Z',
      service: 's1',
    });
  });

  test('a receipt without the id of the provider keeps the id that is known', () => {
    const delivery = after([receipt('sent', { externalId: 'SM1' }), receipt('delivered')]);
    expect(delivery.externalId).toBe('SM1');
  });

  test('the statuses that a receipt replaces are those with a lower rank', () => {
    expect(statusesBelow('failed')).toEqual(['queued', 'sent']);
    expect(statusesBelow('read')).toEqual(['queued', 'sent', 'failed', 'delivered']);
  });
});
