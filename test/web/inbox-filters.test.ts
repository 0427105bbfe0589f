import { describe, expect, test } from 'vitest';
import {
  EVERYTHING,
  FILTERS,
  buildPageQuery,
  buildTeamFilter,
  narrowFilter,
  readCriteria,
} from '../../web/console/inbox/filters.ts';
import { countFitting } from '../../web/console/inbox/fitting.ts';
import type { Criteria } from '../../web/console/inbox/filters.ts';
import type { InboxConversation } from '../../web/console/inbox/conversation.ts';

const ME = 'a'.repeat(24);
const BRUNO = 'b'.repeat(24);
const SUPPORT = 'c'.repeat(24);
const NOON = new Date(2026, 10, 27, 12);

const findList = (name: string) => FILTERS.find((one) => one.name === name) ?? EVERYTHING;

const conversation = (fields: object) =>
  ({
    status: 'queued',
    participants: [],
    touchpoints: { web: { services: [], selected: true } },
    lastMessageAt: NOON.toISOString(),
    ...fields,
  }) as unknown as InboxConversation;

describe('the filters in the address of the inbox', () => {
  test.each<[Record<string, string>, string, Record<string, string>]>([
    [{ assignee: 'me', category: 'sales', x: '1' }, 'all', { assignee: 'me', category: 'sales' }],
    [{ assignee: 'somebody', category: ' ', channel: '"', time: 'ever' }, 'all', {}],
    [{ from: '2026-11-01', until: '2026-02-30' }, 'all', { from: '2026-11-01' }],
    [{ status: 'closed' }, 'all', { status: 'closed' }],
    [{ status: 'closed' }, 'mine', {}],
    [{ status: 'active' }, 'queued', {}],
    [{ status: 'open' }, 'all', {}],
    [{ time: 'toString', rating: 'toString' }, 'all', {}],
  ])('of %j the list “%s” takes %j', (query, list, criteria) => {
    expect(readCriteria(query, findList(list))).toEqual(criteria);
  });

  test.each<[Criteria, Record<string, string>]>([
    [{ assignee: 'me' }, { 'participants.user': ME }],
    [{ assignee: BRUNO }, { 'participants.user': BRUNO }],
    [{ assignee: 'nobody' }, { 'participants.accepted': '!=true', 'participants.inbox': '!=true' }],
    [{ team: SUPPORT }, { team: SUPPORT }],
    [{ team: 'nobody' }, { team: '!' }],
    [{ category: '<sales>' }, { category: '[<sales>]' }],
    [
      { channel: 'sms', status: 'closed' },
      { 'touchpoints.sms.selected': 'true', status: 'closed' },
    ],
    [
      { from: '2026-11-01', until: '2026-11-02' },
      { lastMessageAt: `>=${new Date(2026, 10, 1).toISOString()},<${new Date(2026, 10, 3).toISOString()}` },
    ],
    [{ rating: 'bad' }, { rating: '>=1,<=2' }],
    [{ time: 'week' }, { lastMessageAt: `>=${new Date(2026, 10, 21).toISOString()}` }],
  ])('the filter %j makes the query %j', (criteria, query) => {
    const { sort, ...asked } = buildPageQuery(narrowFilter(EVERYTHING, criteria, NOON), ME);
    expect([sort, asked]).toEqual(['-lastMessageAt', query]);
  });

  test('the list “My teams” has the queued conversations of the teams, also narrowed to one of them', () => {
    const list = buildTeamFilter([SUPPORT, BRUNO]);
    const fields = [
      { team: SUPPORT },
      { team: SUPPORT, status: 'active' },
      { team: BRUNO },
      { team: ME },
      {},
    ];
    const taken = (criteria: Criteria) =>
      fields.map((one) => narrowFilter(list, criteria, NOON).takes(conversation(one), ME));
    expect(taken({})).toEqual([true, false, true, false, false]);
    expect(taken({ team: SUPPORT })).toEqual([true, false, false, false, false]);
    const { sort, ...asked } = buildPageQuery(narrowFilter(list, { team: SUPPORT }, NOON), ME);
    expect([sort, asked]).toEqual(['waitingSince', { team: `[${SUPPORT},${BRUNO}]`, status: 'queued' }]);
  });

  test('the list “Mine” has the open conversations that the user has accepted or has in the inbox, and none that was handed on', () => {
    const mine = findList('mine');
    const takes = (fields: object) => mine.takes(conversation(fields), ME);
    expect(takes({ participants: [{ user: ME, accepted: true }] })).toBe(true);
    expect(takes({ status: 'active', participants: [{ user: { id: ME }, inbox: true }] })).toBe(true);
    expect(takes({ participants: [{ user: ME }, { user: BRUNO, accepted: true }] })).toBe(false);
    expect(takes({ status: 'closed', participants: [{ user: ME, accepted: true }] })).toBe(false);
    expect(mine.query(ME)).toMatchObject({ participants: `{user=${ME};accepted,inbox=true}` });
  });

  test('the next page of a list has the bounds of the filter, and continues at its own time', () => {
    const since = `>=${new Date(2026, 10, 27).toISOString()}`;
    const today = { time: 'today' };
    const next = (list: string) =>
      buildPageQuery(narrowFilter(findList(list), today, NOON), ME, '2026-11-27T08:00:00.000Z');
    expect(next('all')['lastMessageAt']).toBe(`${since},<=2026-11-27T08:00:00.000Z`);
    expect(next('queued')['lastMessageAt']).toBe(since);
    expect(next('queued')['waitingSince']).toBe('>=2026-11-27T08:00:00.000Z');
  });

  test.each<[Criteria, object, boolean]>([
    [{ assignee: 'me' }, { participants: [{ user: ME, accepted: true }] }, true],
    [{ assignee: 'me' }, { participants: [{ user: { id: ME }, inbox: true }] }, true],
    [{ assignee: 'me' }, { participants: [{ user: ME }] }, false],
    [
      { assignee: 'me' },
      {
        participants: [
          { user: ME, inbox: true },
          { user: BRUNO, accepted: true },
        ],
      },
      false,
    ],
    [{ assignee: 'nobody' }, { participants: [{ user: ME }] }, true],
    [{ assignee: 'nobody' }, { participants: [{ user: ME, inbox: true }] }, false],
    [{ team: SUPPORT }, { team: SUPPORT }, true],
    [{ team: SUPPORT }, {}, false],
    [{ team: 'nobody' }, { team: SUPPORT }, false],
    [{ team: 'nobody' }, {}, true],
    [{ category: 'sales' }, { category: 'Sales' }, false],
    [{ channel: 'web' }, {}, true],
    [{ channel: 'sms' }, { touchpoints: { sms: { selected: false } } }, false],
    [{ status: 'closed' }, {}, false],
    [{ until: '2026-11-27' }, {}, true],
    [{ until: '2026-11-26' }, {}, false],
    [{ from: '2026-11-28' }, {}, false],
  ])('the filter %j decides about %j: %s', (criteria, fields, isTaken) => {
    expect(narrowFilter(EVERYTHING, criteria, NOON).takes(conversation(fields), ME)).toBe(isTaken);
  });
});

describe('the lists of the inbox in one line', () => {
  const SEVEN = [70, 60, 60, 80, 60, 60, 40];

  test.each([
    [430, 0, 7],
    [429, 0, 6],
    [364, 0, 5],
    [363, 0, 4],
    [364, 6, 4],
    [323, 6, 3],
    [100, 0, 0],
    [0, -1, 0],
  ])(
    'a line of %d px, with the list %d chosen, has %d lists and a menu of the others',
    (room, chosen, count) => {
      expect(countFitting(SEVEN, room, chosen)).toBe(count);
    },
  );
});
