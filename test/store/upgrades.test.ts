import mongoose from 'mongoose';
import { describe, expect, test } from 'vitest';
import { upgradedAt } from '../../store/cluster/upgrades.ts';
import { anyCollection } from '../../store/connection/model.ts';
import { nameUsers } from '../../store/accounts/user-names.ts';
import { userModel } from '../../store/accounts/users.ts';
import { canonicalEmail } from '../../domain/email.ts';
import { currentNumber } from '../../posting/renumbered.ts';
import { fillLastMessageTimes } from '../../store/conversations/fill-last-message-times.ts';
import { renewIdentifiers } from '../../store/conversations/renew-identifiers.ts';
import { contactModel } from '../../store/conversations/contacts.ts';
import { conversationModel } from '../../store/conversations/conversations.ts';
import { renewSearchWords } from '../../store/conversations/renew-search-words.ts';
import { searchWordsModel } from '../../store/conversations/search-words.ts';
import { startUpgrades } from '../../worker/upgrades.ts';
import { useStore } from '../support/use-store.ts';

const always = () => true;
const idOf = (number: number) => number.toString(16).padStart(24, '0');

describe('what earlier releases stored', () => {
  useStore();

  test('is found by words that were noted unfolded, each source by itself', async () => {
    const collection = anyCollection(searchWordsModel);
    const rows = Array.from({ length: 450 }, (_, at) => ({
      ...{
        _id: idOf(at),
        organization: 'o',
        own: ['straße'],
        results: ['œuvre', 'plain'],
        contact: ['łódz'],
      },
      ...{ words: ['straße', 'œuvre', 'plain', 'łódz'], version: 3, contactAt: new Date(5), stamp: 7 },
    }));
    const untouched = {
      ...rows[0],
      _id: idOf(999),
      words: ['plain'],
      own: ['plain'],
      results: [],
      contact: [],
    };
    await collection.insertMany([...rows, untouched]);
    expect(await renewSearchWords(always)).toBe(true);
    for (const { _id } of [rows[0]!, rows[449]!]) {
      expect(await collection.findOne({ _id })).toEqual({
        ...{ _id, organization: 'o', own: ['strasse'], results: ['oeuvre', 'plain'], contact: ['lodz'] },
        ...{ words: ['strasse', 'oeuvre', 'plain', 'lodz'], version: 3, contactAt: new Date(5), stamp: 8 },
      });
    }
    expect(await collection.countDocuments({ words: 'strasse', stamp: 8 })).toBe(450);
    expect(await collection.findOne({ _id: untouched._id })).toEqual(untouched);
    expect(await renewSearchWords(always)).toBe(true);
    expect(await collection.countDocuments({ stamp: 8 }), 'once').toBe(450);
  });

  test('is found by words that are made of the texts themselves: telephones, names, scripts without blanks', async () => {
    const [id, contact] = [idOf(2001), idOf(2002)];
    const profile = { name: "Zoë O'Brien", telephone: '+31201234567' };
    await anyCollection(contactModel).insertOne({
      _id: contact,
      organization: 'o',
      conversation: id,
      profile,
    });
    await anyCollection(conversationModel).insertOne({
      ...{ _id: id, slug: 'renewed', organization: 'o', contact, name: 'Müller' },
      forms: [{ name: 'Wo', values: { city: '東京都' } }],
    });
    const row = {
      _id: id,
      organization: 'o',
      own: ['muller'],
      results: ['株式会社'],
      contact: ['31201234567'],
    };
    await anyCollection(searchWordsModel).insertOne({ ...row, words: ['muller'], version: 3, stamp: 1 });
    expect(await renewSearchWords(always)).toBe(true);
    const { words } = (await anyCollection(searchWordsModel).findOne({ _id: id })) as unknown as {
      words: string[];
    };
    expect(words).toEqual(
      expect.arrayContaining(['mueller', '京都', '会社', '4567', '1234567', 'obrien', 'zoe']),
    );
  });

  test('has emails and telephones that are looked up in another form, which get it unless it is taken', async () => {
    const collection = anyCollection(contactModel);
    const profiles = [
      { email: 'ada@exämple.de', telephone: '+24106031234' },
      { email: 'bea@xn--exmple-cua.de' },
      { email: 'bea@exämple.de' },
      { email: 'É@x.nl', telephone: '+31612345678' },
    ];
    await collection.insertMany(
      profiles.map((profile, at) => ({ _id: idOf(3001 + at), organization: 'renewed', profile })),
    );
    await anyCollection(userModel).insertOne({
      _id: idOf(3001),
      email: 'ada@exämple.de',
      name: 'ada@exämple.de',
    });
    const forms = { email: canonicalEmail, telephone: currentNumber };
    expect(await renewIdentifiers(forms, always)).toBe(true);
    const stored = await collection.find({ organization: 'renewed' }).sort({ _id: 1 }).toArray();
    expect(stored.map(({ profile }) => profile as object)).toEqual([
      { email: 'ada@xn--exmple-cua.de', telephone: '+24166031234' },
      ...profiles.slice(1),
    ]);
    const email = 'ada@xn--exmple-cua.de';
    const user = await anyCollection(userModel).findOneAndDelete({ _id: idOf(3001) });
    expect(user).toMatchObject({ email, name: email });
  });

  test('has users without a name to be found by, who get theirs', async () => {
    const collection = anyCollection(userModel);
    const users = [
      { _id: idOf(1), email: 'a@x.nl', givenName: 'Ada', familyName: 'Lovelace' },
      { _id: idOf(2), email: 'b@x.nl', familyName: 'Hopper' },
      { _id: idOf(3), email: 'c@x.nl' },
    ];
    await collection.insertMany(users);
    expect(await nameUsers(always)).toBe(true);
    const names = await collection.find().sort({ _id: 1 }).toArray();
    expect(names.map(({ name }) => name)).toEqual(['Ada Lovelace', 'Hopper', 'c@x.nl']);
  });

  test('has conversations without the time of their last message, which stay in their order', async () => {
    const collection = anyCollection(conversationModel);
    const [old, current, tombstone] = [idOf(21), idOf(22), idOf(23)];
    const updatedAt = new Date(50);
    await collection.insertMany([
      { _id: old, slug: 'old', updatedAt },
      { _id: current, slug: 'current', updatedAt, lastMessageAt: new Date(40) },
      { _id: tombstone, slug: 'tombstone', deletedAt: updatedAt },
    ]);
    expect(await fillLastMessageTimes(always)).toBe(true);
    const found = await collection
      .find({ _id: { $in: [old, current, tombstone] } })
      .sort({ _id: 1 })
      .toArray();
    expect(found.map((one) => one['lastMessageAt'] as Date | undefined)).toEqual([
      updatedAt,
      new Date(40),
      undefined,
    ]);
  });

  test('waits for the next start where this one ends', async () => {
    expect(await renewSearchWords(() => false)).toBe(false);
  });

  test('has users of an earlier process that runs beside, who are looked for at each start for a week', async () => {
    const collection = anyCollection(userModel);
    const log = { warn: () => undefined, info: () => undefined };
    const nameAfterStart = async (_id: string) => {
      await collection.insertOne({ _id, email: `${_id}@x.nl` });
      await startUpgrades(log).done;
      return (await collection.findOne({ _id }))?.['name'] as string | undefined;
    };
    expect(await nameAfterStart(idOf(11))).toBe(`${idOf(11)}@x.nl`);
    const doneAt = await upgradedAt('named-users');
    expect(await nameAfterStart(idOf(12))).toBe(`${idOf(12)}@x.nl`);
    expect(await upgradedAt('named-users'), 'the first time counts').toEqual(doneAt);
    await mongoose.connection
      .collection<{ _id: string }>('upgrades')
      .updateOne({ _id: 'named-users' }, { $set: { doneAt: new Date(Date.now() - 8 * 24 * 3600 * 1000) } });
    expect(await nameAfterStart(idOf(13)), 'nobody reads the users any more').toBeUndefined();
  });
});
