import { describe, expect, test } from 'vitest';
import { anyCollection } from '../../store/connection/model.ts';
import { conversationModel } from '../../store/conversations/conversations.ts';
import { visitCreated } from '../../store/conversations/report.ts';
import { SearchTooLong } from '../../store/queries/listing.ts';
import { newId } from '../../store/queries/identifier.ts';
import { ensureRootOrganization, organizationModel } from '../../store/records/organizations.ts';
import { useStore } from '../support/use-store.ts';

useStore();

const SINCE = Date.parse('2026-03-01T00:00:00Z');
const HOUR = 3_600_000;

async function newOrganization(above?: { id: string; path: string }): Promise<{ id: string; path: string }> {
  const id = newId();
  const path = above ? `${above.path}#${id}` : id;
  const level = path.split('#').length - 1;
  const now = new Date();
  await anyCollection(organizationModel).insertOne({
    ...{ _id: id, name: id, path, level, tags: [], categories: [], meta: {}, settings: {} },
    ...{ createdAt: now, updatedAt: now, createdBy: id },
  });
  return { id, path };
}

async function newConversations(organization: string, hours: number[]): Promise<void> {
  await anyCollection(conversationModel).insertMany(
    hours.map((hour) => {
      const at = new Date(SINCE + hour * HOUR);
      const times = { createdAt: at, updatedAt: at, lastMessageAt: at };
      const lists = { participants: [], touchpoints: {}, commit: 'x'.repeat(2_000) };
      return { _id: newId(), slug: newId(), organization, status: 'queued', ...lists, ...times };
    }),
  );
}

async function visitedHours(organization: string, { from, to }: { from: number; to: number }) {
  const hours: number[] = [];
  const [since, until] = [from, to].map((hour) => new Date(SINCE + hour * HOUR)) as [Date, Date];
  await visitCreated({ organization, since, until, withinMs: 60_000 }, ({ createdAt }) =>
    Boolean(hours.push((createdAt.getTime() - SINCE) / HOUR)),
  );
  return hours.sort((a, b) => a - b);
}

describe('the conversations of a report', () => {
  test('a report reads the organization and those below it, and none beside or above it', async () => {
    const root = newId();
    await ensureRootOrganization({ id: root, name: 'root' });
    const above = await newOrganization({ id: root, path: root });
    const own = await newOrganization(above);
    const below = await newOrganization(own);
    const beside = await newOrganization(above);
    await newConversations(above.id, [1]);
    await newConversations(own.id, [2, 3]);
    await newConversations(below.id, [4]);
    await newConversations(beside.id, [5]);
    expect(await visitedHours(own.id, { from: 0, to: 10 })).toEqual([2, 3, 4]);
    expect(await visitedHours(above.id, { from: 0, to: 10 })).toEqual([1, 2, 3, 4, 5]);
  });

  test('a report reads from the begin of its range up to its end, which is not part of it', async () => {
    const { id } = await newOrganization();
    await newConversations(
      id,
      Array.from({ length: 2_000 }, (_, hour) => hour),
    );
    expect(await visitedHours(id, { from: 10, to: 1_300 })).toEqual(
      Array.from({ length: 1_290 }, (_, at) => at + 10),
    );
    expect(await visitedHours(id, { from: 5_000, to: 6_000 })).toEqual([]);
  });

  test('a report that takes too long is stopped, and a report with its maximum of conversations ends', async () => {
    const { id: organization } = await newOrganization();
    await newConversations(
      organization,
      Array.from({ length: 1_500 }, () => 1),
    );
    const range = { organization, since: new Date(SINCE), until: new Date(SINCE + 2 * HOUR) };
    const hasty = visitCreated({ ...range, withinMs: 1 }, () => {
      const end = performance.now() + 2;
      while (performance.now() < end);
      return true;
    });
    await expect(hasty).rejects.toThrow(SearchTooLong);
    let visited = 0;
    await visitCreated({ ...range, withinMs: 60_000 }, () => ++visited < 700);
    expect(visited).toBe(700);
  });
});
