import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ReportBuilder } from '../../domain/conversations/report.ts';
import type { ReportedConversation } from '../../domain/conversations/report.ts';
import { WAITS } from '../../domain/conversations/waiting-times.ts';
import { createLocalDay } from '../../domain/local-day.ts';
import { naiveReport } from '../support/naive-report.ts';

const SINCE = Date.parse('2026-03-20T10:00:00Z');
const UNTIL = Date.parse('2026-04-02T09:30:00Z');

const after = (min: number) => fc.integer({ min, max: 900_000_000 }).map((ms) => new Date(UNTIL + ms));

const someConversation: fc.Arbitrary<ReportedConversation> = fc.record(
  {
    createdAt: fc.integer({ min: SINCE, max: UNTIL - 1 }).map((time) => new Date(time)),
    status: fc.constantFrom('queued', 'active', 'closed'),
    touchpoints: fc.dictionary(
      fc.constantFrom('web', 'sms', 'email', '__proto__', 'constructor'),
      fc.record({ services: fc.constant<string[]>([]), selected: fc.boolean() }),
    ),
    category: fc.constantFrom('sales', 'service', '', '__proto__', 'toString'),
    firstContactAt: after(-900_000_000),
    firstReplyAt: after(0),
    acceptedAt: after(-900_000_000),
    closedAt: after(0),
    rating: fc.constantFrom(1, 2, 3, 4, 5),
    participants: fc.uniqueArray(
      fc.record(
        {
          user: fc.constantFrom('ada', 'bruno', '__proto__'),
          role: fc.constantFrom('agent', 'admin', 'bot'),
          accepted: fc.boolean(),
        },
        { requiredKeys: ['user', 'accepted'] },
      ),
      { selector: ({ user }) => user },
    ),
  },
  { requiredKeys: ['createdAt', 'status', 'touchpoints', 'participants'] },
);

test('a report has the figures of a naive computation, in any time zone', () => {
  const zones = fc.constantFrom('UTC', 'Europe/Amsterdam', 'Pacific/Chatham');
  fc.assert(
    fc.property(fc.array(someConversation, { maxLength: 40 }), zones, (conversations, timeZone) => {
      const localDay = createLocalDay(timeZone);
      if (!localDay) throw new Error('no time zone');
      const range = { since: SINCE, until: UNTIL, localDay };
      const builder = new ReportBuilder(range);
      for (const conversation of conversations) builder.add(conversation);
      const report = builder.build(
        WAITS.map((wait) => builder.summarize(wait)),
        { bot: 7, agent: 3, users: new Map([['carla', 3]]) },
      );
      const shown = JSON.parse(JSON.stringify(conversations));
      const written = [{ user: 'carla', replies: 3 }];
      expect(report).toEqual(
        naiveReport(shown, { since: SINCE, until: UNTIL, timeZone }, { bot: 7, agents: written }),
      );
    }),
  );
});

test('a report names the 200 most frequent categories', () => {
  const builder = new ReportBuilder({ since: SINCE, until: UNTIL, localDay: () => '2026-03-20' });
  const add = (category: string) =>
    builder.add({
      createdAt: new Date(SINCE),
      status: 'queued',
      touchpoints: {},
      category,
      participants: [],
    });
  for (let n = 0; n < 300; n++) add(`category ${n}`);
  add('category 299');
  const { categories, conversations } = builder.build(
    WAITS.map((wait) => builder.summarize(wait)),
    { bot: 0, agent: 0, users: new Map() },
  );
  expect(categories).toHaveLength(200);
  expect(categories[0]).toEqual({ name: 'category 299', conversations: 2 });
  expect(conversations).toBe(301);
});
