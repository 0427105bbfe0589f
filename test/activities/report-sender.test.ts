import { expect, test } from 'vitest';
import { createReportSender } from '../../activities/drain-deliveries.ts';
import type { DrainReport } from '../../domain/delivery/drain-report.ts';

const CALM: DrainReport = { pending: 0, held: 0, failing: [], searchable: true };
const FAILING: DrainReport = {
  ...CALM,
  failing: [{ service: 'a', name: 'CRM', attempt: 1, outcome: 'rejected', at: '2026-01-01T00:00:00.000Z' }],
};

function newSender(results: boolean[] = []) {
  const sent: DrainReport[] = [];
  const show = createReportSender((report) => {
    sent.push(report);
    return Promise.resolve(results.shift() ?? true);
  });
  return { show, sent };
}

test('the first report of a drain is sent without failing services, because the drain before may have reported some', async () => {
  const { show, sent } = newSender();
  await show(CALM, 0);
  await show(CALM, 60_000);
  expect(sent).toEqual([CALM]);
});

test('a report that did not reach the delivery workflow is sent again', async () => {
  const { show, sent } = newSender([true, false, true]);
  await show(CALM, 0);
  await show(FAILING, 30_000);
  await show(FAILING, 60_000);
  await show(FAILING, 90_000);
  expect(sent).toEqual([CALM, FAILING, FAILING]);
});

test('changes of the failing services are sent at most every 30 seconds', async () => {
  const { show, sent } = newSender();
  await show(CALM, 0);
  await show(FAILING, 10_000);
  await show(CALM, 20_000);
  expect(sent).toEqual([CALM, FAILING]);
  await show(CALM, 40_000);
  expect(sent).toEqual([CALM, FAILING, CALM]);
});
