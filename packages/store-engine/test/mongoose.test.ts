import mongoose from 'mongoose';
import { describe, expect, test } from 'vitest';
import { useServer } from './support.ts';

const server = useServer();

describe('mongoose', () => {
  test('mongoose saves, finds, updates and removes documents with its default options', async () => {
    const connection = await mongoose
      .createConnection(server.uri, { dbName: server.db.databaseName })
      .asPromise();
    const schema = new mongoose.Schema(
      { name: { type: String, unique: true }, tags: [String] },
      { timestamps: true },
    );
    const Thing = connection.model('Thing', schema);
    await Thing.init();
    const thing = await Thing.create({ name: 'a', tags: ['x'] });
    thing.tags.push('y');
    await thing.save();
    expect((await Thing.findOne({ tags: 'y' }).lean())?.name).toBe('a');
    await expect(Thing.create({ name: 'a' })).rejects.toMatchObject({ code: 11000 });
    const session = await connection.startSession();
    expect(await Thing.find().session(session)).toHaveLength(1);
    await session.endSession();
    await expect(
      connection.transaction(async (inside) => {
        await Thing.find().session(inside);
      }),
    ).rejects.toMatchObject({ code: 20 });
    await Thing.deleteMany({});
    await connection.close();
  });
});
