import { describe, expect, test } from 'vitest';
import {
  buildCsv,
  findRangeProblem,
  formatSpan,
  lastDays,
  readRange,
  toReportQuery,
} from '../../web/console/reports/report.ts';
import type { Report } from '../../web/console/reports/report.ts';

const NOON = new Date(2026, 2, 1, 12);

describe('the days of a report', () => {
  test('a report has the last 30 days unless the address has others, and the request ends with the day after the last one', () => {
    expect(readRange({}, NOON)).toEqual({ from: '2026-01-31', until: '2026-03-01' });
    expect(readRange({ from: '2026-02-01' }, NOON)).toEqual({ from: '2026-02-01', until: '2026-03-01' });
    expect(lastDays(1, NOON)).toEqual({ from: '2026-03-01', until: '2026-03-01' });
    expect(toReportQuery({ from: '2026-02-27', until: '2026-02-28' })).toEqual({
      since: '2026-02-27',
      until: '2026-03-01',
    });
  });

  test.each([
    ['2026-02-30', '2026-03-01', 'since'],
    ['2026-02-01', '', 'until'],
    ['2026-03-02', '2026-03-01', 'since'],
    ['2025-01-01', '2026-02-05', 'since'],
    ['2025-01-01', '2026-02-04', undefined],
    ['2026-03-01', '2026-03-01', undefined],
  ])('the days from %s until %s are refused at %s', (from, until, path) => {
    const problem = findRangeProblem({ from, until }) as { details?: { path: string }[] } | undefined;
    expect(problem?.details?.[0]?.path).toBe(path);
  });
});

describe('the figures of a report', () => {
  test.each([
    [0, '0 sec'],
    [400, '< 1 sec'],
    [95_000, '1 min 35 sec'],
    [3_600_000, '1 hr'],
    [3_660_000, '1 hr 1 min'],
    [90_061_000, '1 day 1 hr'],
  ])('a wait of %i ms is written as %s', (ms, text) => {
    expect(formatSpan(ms)).toBe(text);
  });

  test('the CSV has every figure, and quotes names that a spreadsheet would run as a formula', () => {
    const none = { conversations: 0, median: null, p90: null };
    const report = {
      conversations: 3,
      days: [{ day: '2026-03-01', conversations: 3 }],
      statuses: { queued: 1, active: 2, closed: 0 },
      categories: [
        { name: '=cmd|"x"', conversations: 2 },
        { name: 'a, b', conversations: 1 },
      ],
      touchpoints: [{ name: 'web', conversations: 3 }],
      times: { accept: { conversations: 2, median: 1_499, p90: 95_000 }, firstReply: none, close: none },
      ratings: {
        conversations: 2,
        average: 4.5,
        values: [4, 5].map((rating) => ({ rating, conversations: 1 })),
      },
      agents: [
        {
          ...{ user: 'a', name: 'Grace', conversations: 2, replies: 7 },
          times: { firstReply: { conversations: 2, median: 2_000, p90: 3_000 }, close: none },
          ratings: { conversations: 1, average: 5 },
        },
      ],
      replies: { bot: 4, agent: 7, closedWithoutAgent: 1 },
      failures: { webhooks: 2, channels: 0, services: [{ service: 's', name: 'orders', deliveries: 2 }] },
    } as unknown as Report;
    expect(buildCsv(report).split('\r\n')).toEqual([
      'group,name,conversations,median seconds,p90 seconds',
      'total,,3,,',
      'day,2026-03-01,3,,',
      'status,queued,1,,',
      'status,active,2,,',
      'status,closed,0,,',
      `category,"'=cmd|""x""",2,,`,
      'category,"a, b",1,,',
      'channel,web,3,,',
      'wait,accept,2,1,95',
      'wait,firstReply,0,,',
      'wait,close,0,,',
      'rating,4,1,,',
      'rating,5,1,,',
      'agent: conversations taken,Grace,2,,',
      'agent: replies,Grace,7,,',
      'agent: first reply,Grace,2,2,3',
      'agent: close,Grace,0,,',
      'agent: average rating,Grace,5,,',
      'replies,bot,4,,',
      'replies,agent,7,,',
      'replies,closedWithoutAgent,1,,',
      'failed deliveries,orders,2,,',
      'average rating,4.5,2,,',
      '',
    ]);
  });
});
