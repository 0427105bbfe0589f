import { expect, test } from 'vitest';
import { applyContactChanges, contactModel } from '../../store/conversations/contacts.ts';
import { newId } from '../../store/queries/identifier.ts';
import { useStore } from '../support/use-store.ts';

useStore();

const organization = newId();

async function insert(profile: object): Promise<string> {
  const now = new Date();
  const contact = { _id: newId(), organization, profile, meta: {}, createdAt: now, updatedAt: now };
  await contactModel.collection.insertOne(contact);
  return contact._id;
}
const profileOf = async (_id: string) => (await contactModel.collection.findOne({ _id }))?.profile;

test.each([
  ['a duplicate email does not discard a valid telephone of the same change', 'email'],
  ['a duplicate telephone does not discard a valid email of the same change', 'telephone'],
])('%s', async (_title, duplicate) => {
  const changes = {
    email: `${duplicate}@example.com`,
    telephone: duplicate === 'email' ? '+31201234561' : '+31201234562',
    name: 'Ada',
  };
  await insert({ [duplicate]: changes[duplicate as 'email' | 'telephone'] });
  const changed = await insert({});
  await applyContactChanges(changed, changes, 1);
  const { [duplicate as 'email']: _, ...others } = changes;
  expect(await profileOf(changed)).toEqual(others);
});

test('a change whose email and telephone are both taken keeps its other fields', async () => {
  await insert({ email: 'both@example.com' });
  await insert({ telephone: '+31201234599' });
  const changed = await insert({});
  await applyContactChanges(
    changed,
    { email: 'both@example.com', telephone: '+31201234599', name: 'Ada' },
    1,
  );
  expect(await profileOf(changed)).toEqual({ name: 'Ada' });
});
