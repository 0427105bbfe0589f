import { expect, test } from 'vitest';
import { newConversation } from '../../domain/conversations/conversation.ts';
import type { NewConversation } from '../../domain/conversations/conversation.ts';
import { recomputeCategoryIndexes } from '../../store/conversations/category-indexes.ts';
import { loadConversation, writeCommit } from '../../store/conversations/commits.ts';
import { newId, newSlug } from '../../store/queries/identifier.ts';
import { updateOrganization } from '../../store/records/find-organizations.ts';
import { claimListChange } from '../../store/records/list-changes.ts';
import { organizationModel } from '../../store/records/organizations.ts';
import { storedOrganization } from '../support/stored-organization.ts';
import { useStore } from '../support/use-store.ts';

useStore();

const toCategories = (...names: string[]) => names.map((name) => ({ name, forms: [] }));

test('a changed list of categories gives open and closed conversations the new index of their category, and no other category', async () => {
  const organization = await storedOrganization();
  const add = async (fields: Partial<NewConversation>) => {
    const place = { id: newId(), organization, slug: newSlug(), createdBy: newId() };
    const base = newConversation({ ...place, createdAt: new Date().toISOString(), ...fields });
    await writeCommit({ base, next: base, results: [], commit: '{}' });
    return base.id;
  };
  const ids = [
    await add({ category: 'Sales', categoryIndex: 0 }),
    await add({ category: 'Service', categoryIndex: 1, status: 'closed' }),
    await add({ category: 'Gone', categoryIndex: 2 }),
    await add({ category: 'New' }),
    await add({ categoryIndex: 1 }),
    await add({}),
  ];
  const read = async () => {
    const states = await Promise.all(ids.map(async (id) => (await loadConversation(id)).state));
    return states.map((state) => [state?.category, state?.categoryIndex]);
  };
  await updateOrganization({ organization }, organization, {
    categories: toCategories('New', 'Other', 'Third', 'Service', 'Sales'),
  });
  await organizationModel.updateOne({ _id: organization }, { reindexAt: new Date(0) });
  expect(await claimListChange('reindexAt')).toMatchObject({ organization });
  expect(await recomputeCategoryIndexes(organization, () => Promise.resolve(true))).toBe(true);
  expect(await read()).toEqual([
    ['Sales', 4],
    ['Service', 3],
    ['Gone', undefined],
    ['New', 0],
    [undefined, 1],
    [undefined, undefined],
  ]);
});

test('a category that is set after a change of the list is stored with its index, whatever index the workflow knew', async () => {
  const organization = await storedOrganization();
  const place = { id: newId(), organization, slug: newSlug(), createdBy: newId() };
  const known = { category: 'Service', categoryIndex: 1 };
  const base = newConversation({ ...place, createdAt: new Date().toISOString(), ...known });
  await writeCommit({ base, next: base, results: [], commit: '{}' });
  await updateOrganization({ organization }, organization, {
    categories: toCategories('New', 'Sales', 'Service'),
  });
  await recomputeCategoryIndexes(organization, () => Promise.resolve(true));
  const load = async () => (await loadConversation(base.id)).state;
  expect(await load()).toMatchObject({ category: 'Service', categoryIndex: 2 });
  // The workflow has the index of the former list, which is that of the new category now.
  const before = { ...base, version: 1 };
  await writeCommit({ base: before, next: { ...before, category: 'Sales' }, results: [], commit: '{}' });
  expect(await load()).toMatchObject({ category: 'Sales', categoryIndex: 1 });
});
