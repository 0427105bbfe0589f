import { describe, expect, test } from 'vitest';
import { createConversationActivities } from '../../activities/conversation.ts';
import { tidyOrganizations } from '../../api/bootstrap.ts';
import { createSlugEncryption } from '../../application/posting/encryption.ts';
import { decidePost } from '../../domain/conversations/decide.ts';
import { findAccount, insertUser, updateUser, userModel } from '../../store/accounts/users.ts';
import { anyCollection } from '../../store/connection/model.ts';
import type { AnyCollection } from '../../store/connection/model.ts';
import { contactModel, insertContact } from '../../store/conversations/contacts.ts';
import { conversationModel } from '../../store/conversations/conversations.ts';
import { insertService, serviceModel } from '../../store/delivery/services.ts';
import { newId, newSlug } from '../../store/queries/identifier.ts';
import { deleteRemoved, insertBelow } from '../../store/records/find-organizations.ts';
import { formModel, formRecords } from '../../store/records/forms.ts';
import {
  closeOrganization,
  removeContents,
  findRemainingRecords,
} from '../../store/records/organization-contents.ts';
import { decideRemoval, keepsRecord, markRemoval } from '../../store/records/organization-removal.ts';
import { organizationModel } from '../../store/records/organizations.ts';
import { storedOrganization } from '../support/stored-organization.ts';
import { useStore } from '../support/use-store.ts';

const activities = createConversationActivities({
  publicUrl: 'http://localhost:3000',
  deliveryShards: 1,
  notifyDeliveries: () => undefined,
  runTimerEvent: () => undefined,
  searchAttributes: [],
  slugs: createSlugEncryption('a secret of tests'),
  observeWait: () => undefined,
});

/**
 * A way to add a record to an organization. The promise of `insert` rejects if the record is
 * refused.
 */
interface Insertion {
  records: Pick<AnyCollection, 'find'>;
  field?: string;
  insert: (organization: string) => Promise<unknown>;
}

const insertions: Record<string, Insertion> = {
  'a user': { records: anyCollection(userModel), insert: (organization) => insertUser(user(organization)) },
  'an organization below': {
    records: anyCollection(organizationModel),
    field: 'parent',
    insert: (parent) =>
      insertBelow({ organization: parent }, parent, {
        ...base(),
        name: 'A',
        categories: [],
        tags: [],
        timers: [],
      }),
  },
  'a contact': {
    records: anyCollection(contactModel),
    insert: (organization) => insertContact({ ...base(), organization, profile: {} }),
  },
  'a conversation': {
    records: anyCollection(conversationModel),
    async insert(organization) {
      const { outcome } = await activities.persist(firstCommit(organization));
      if (outcome !== 'stored') throw new Error('forbidden');
    },
  },
  'a form': {
    records: anyCollection(formModel),
    insert: (organization) =>
      formRecords.insert({ ...base(), organization, name: 'A', type: 'topic' as const, fields: [] }),
  },
  'a webhook': {
    records: anyCollection(serviceModel),
    insert: (organization) => insertService({ ...base(), organization, ...WEBHOOK }),
  },
  'a user who is moved': {
    records: anyCollection(userModel),
    async insert(organization) {
      const moved = user(await storedOrganization());
      await insertUser(moved);
      await updateUser({ organization: moved.organization }, moved._id, { organization, givenName: 'B' });
    },
  },
  'a form that is moved': {
    records: anyCollection(formModel),
    async insert(organization) {
      const moved = {
        ...base(),
        organization: await storedOrganization(),
        name: 'A',
        type: 'topic' as const,
        fields: [],
      };
      await formRecords.insert(moved);
      await formRecords.update({ organization: moved.organization }, moved._id, { organization });
    },
  },
};

const WEBHOOK = {
  name: 'A',
  type: 'webhook' as const,
  params: { url: 'http://x' },
  status: 'active' as const,
};
const KEPT = ['a form', 'a webhook', 'a form that is moved'];

function base() {
  const now = new Date();
  return { _id: newId(), meta: {}, createdAt: now, updatedAt: now };
}

function user(organization: string) {
  const fields = base();
  return {
    ...fields,
    organization,
    email: `${fields._id}@x.example`,
    role: 'agent' as const,
    status: 'offline' as const,
  };
}

function firstCommit(organization: string) {
  const createdAt = new Date().toISOString();
  const create = { id: newId(), slug: newSlug(), organization, createdBy: newId(), createdAt };
  const post = {
    caller: { user: newId(), role: 'agent' as const, origin: 'message' as const },
    messages: [],
    create,
  };
  const { changes, state } = decidePost(null, post, { now: createdAt, findKnown: () => undefined });
  return { base: { ...state, eventSequence: 0 }, changes };
}

async function remove(organization: string): Promise<boolean> {
  if ((await closeOrganization(organization)).length > 0) return false;
  await removeContents(organization);
  await deleteRemoved(organization);
  return true;
}

describe('an organization that is removed while records are added', () => {
  useStore();

  describe.each(Object.entries(insertions))(
    'with %s',
    (name, { records, field = 'organization', insert }) => {
      const inside = (organization: string) => records.find({ [field]: organization }).toArray();

      test('an organization and a record added to it are kept if the record is stored before the decision to remove the organization', async () => {
        const organization = await storedOrganization();
        const removal = await markRemoval(organization);
        await insert(organization);
        expect(await decideRemoval(organization, removal)).toBe(false);
        expect(await inside(organization)).toHaveLength(1);
        expect(await keepsRecord(organization)).toBe(true);
      });

      test('a record is not added to an organization if the decision to remove the organization came first', async () => {
        const organization = await storedOrganization();
        expect(await decideRemoval(organization, await markRemoval(organization))).toBe(true);
        await expect(insert(organization)).rejects.toThrow(/not yours|forbidden/);
        expect(await inside(organization)).toEqual([]);
      });

      test('a record added at any moment while its organization is removed is kept if and only if the organization is kept', async () => {
        for (let round = 0; round < 8; round += 1) {
          const organization = await storedOrganization();
          const [removed, inserted] = await Promise.all([
            remove(organization),
            insert(organization).then(
              () => true,
              () => false,
            ),
          ]);
          const found = await inside(organization);
          if (removed) expect([name, found]).toEqual([name, []]);
          else expect([name, inserted, found.length]).toEqual([name, true, 1]);
          if (!KEPT.includes(name)) expect(removed && inserted).toBe(false);
        }
      });
    },
  );

  test('a user who moves into a removed organization returns to the former organization, or is removed if that organization is removed too', async () => {
    const [home, target] = [await storedOrganization(), await storedOrganization()];
    const moved = user(home);
    await insertUser(moved);
    await decideRemoval(target, await markRemoval(target));
    const move = { organization: target, givenName: 'B' };
    await expect(updateUser({ organization: home }, moved._id, move)).rejects.toThrow('not yours');
    const stored = await userModel.findById(moved._id).lean();
    expect(stored).toMatchObject({ organization: home });
    expect(stored).not.toHaveProperty('givenName');
    await decideRemoval(home, await markRemoval(home));
    await expect(updateUser({ organization: home }, moved._id, move)).rejects.toThrow('not yours');
    expect(await userModel.findById(moved._id).lean()).toBeNull();
  });

  test('a conversation in a removed organization is removed if its worker died before the check of the organization', async () => {
    const organization = await storedOrganization();
    const commit = firstCommit(organization);
    await activities.persist(commit);
    await decideRemoval(organization, await markRemoval(organization));
    expect(await activities.load({ id: commit.base.id })).toEqual({ state: null, deleted: true });
    expect(await activities.persist(commit)).toEqual({ outcome: 'stale', state: null, deleted: true });
    expect(await findRemainingRecords(organization)).toEqual([]);
  });

  test('a user added to a child organization cancels the removal of the parent, or is refused if the removal was decided before', async () => {
    const [early, late] = [await storedOrganization(), await storedOrganization()];
    const removals = [await markRemoval(early), await markRemoval(late)];
    // Simulates a process that has not yet read that the parent organization is being removed.
    const children = [
      await storedOrganization({ parent: early }),
      await storedOrganization({ parent: late }),
    ];
    await insertUser(user(children[0] ?? ''));
    expect(await decideRemoval(early, removals[0] ?? '')).toBe(false);
    expect(await decideRemoval(late, removals[1] ?? '')).toBe(true);
    await expect(insertUser(user(children[1] ?? ''))).rejects.toThrow('not yours');
    expect(await userModel.find({ organization: children[1]! }).lean()).toEqual([]);
  });

  test('a remaining user of a removed organization cannot log in', async () => {
    const left = user(await storedOrganization());
    await insertUser(left);
    expect(await findAccount({ email: left.email })).toMatchObject({ _id: left._id });
    await decideRemoval(left.organization, await markRemoval(left.organization));
    expect(await findAccount({ email: left.email })).toBeNull();
    await organizationModel.deleteOne({ _id: left.organization });
    expect(await findAccount({ _id: left._id })).toBeNull();
  });

  test('the next start completes the removal of an organization after a crash, and logs users and organizations without an existing organization above them', async () => {
    const interrupted = await storedOrganization();
    await formRecords.insert({
      ...base(),
      organization: interrupted,
      name: 'A',
      type: 'topic' as const,
      fields: [],
    });
    await decideRemoval(interrupted, await markRemoval(interrupted));
    const stray = user(newId());
    await userModel.create([stray]);
    const child = await storedOrganization({ parent: newId() });
    const lines: [facts: object, message: string][] = [];
    await tidyOrganizations({ warn: (...line: unknown[]) => lines.push(line as [object, string]) });
    expect(await organizationModel.findById(interrupted).lean()).toBeNull();
    expect(await formModel.find({ organization: interrupted }).lean()).toEqual([]);
    expect(lines).toEqual([
      [
        {
          users: expect.arrayContaining([stray._id]) as string[],
          organizations: expect.arrayContaining([child]) as string[],
          found: expect.anything() as object,
        },
        expect.stringContaining('cannot log in'),
      ],
    ]);
  });
});
