import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import mongoose from 'mongoose';
import { expect, test } from 'vitest';
import { createFileContents } from '../../store/files/contents.ts';
import {
  completeFile,
  fileModel,
  findFile,
  holdFiles,
  insertFile,
  noteMessageFiles,
  releaseMessageFiles,
} from '../../store/files/files.ts';
import { removeConversationFiles, removeExpiredFiles } from '../../store/files/removal.ts';
import { addUsage, findUsage, reserveUsage } from '../../store/files/usage.ts';
import { newId } from '../../store/queries/identifier.ts';
import { useStore } from '../support/use-store.ts';

useStore();

const contents = await createFileContents(undefined);
const CONTENT = { name: 'a.png', type: 'image/png', etag: '"x"' };
const warned: object[] = [];
const log = { warn: (facts: object) => void warned.push(facts) };
const newKey = () => randomBytes(32).toString('base64url');

async function* pieces(...all: Buffer[]) {
  for (const piece of all) yield await Promise.resolve(piece);
}

async function store({ conversation = newId(), organization = newId(), content = randomBytes(300) } = {}) {
  const [id, key] = [newId(), newKey()];
  await insertFile({ _id: id, key, organization, conversation, place: 'gridfs', createdBy: newId() });
  await contents.write(id, pieces(content));
  await completeFile(id, { ...CONTENT, bytes: content.length });
  return { id, key, conversation, organization, content };
}

const expire = (id: string) => fileModel.updateOne({ _id: id }, { expiresAt: new Date(0) });

async function countChunks(id: string): Promise<number> {
  const chunks = mongoose.connection.db?.collection('filecontents.chunks');
  return (await chunks?.countDocuments({ files_id: new mongoose.mongo.ObjectId(id) })) ?? 0;
}

test('a content of several chunks is read whole and in ranges', async () => {
  const content = randomBytes(700_000);
  const { id } = await store({ content });
  const read = async (first: number, last: number) =>
    buffer(await contents.read({ id, place: 'gridfs' }, { first, last }));
  expect((await read(0, 699_999)).equals(content)).toBe(true);
  expect((await read(260_000, 523_000)).equals(content.subarray(260_000, 523_001))).toBe(true);
  expect((await read(699_999, 699_999)).equals(content.subarray(699_999))).toBe(true);
});

test('an interrupted write leaves nothing after its removal', async () => {
  const id = newId();
  async function* broken() {
    yield* pieces(randomBytes(600_000));
    throw new Error('broken off');
  }
  await expect(contents.write(id, broken())).rejects.toThrow('broken off');
  await contents.remove({ id, place: 'gridfs' });
  expect(await countChunks(id)).toBe(0);
});

test('removing a content twice succeeds', async () => {
  const { id } = await store();
  await contents.remove({ id, place: 'gridfs' });
  await contents.remove({ id, place: 'gridfs' });
  expect(await countChunks(id)).toBe(0);
});

test('a file is found by its key until it expires', async () => {
  const { id, key } = await store();
  expect(await findFile(key)).toMatchObject({ _id: id, ...CONTENT });
  expect(await findFile(newKey())).toBeNull();
  await expire(id);
  expect(await findFile(key)).toBeNull();
});

test('the store does not contain the key', async () => {
  const { id, key } = await store();
  expect(JSON.stringify(await fileModel.findById(id).lean())).not.toContain(key);
});

test('a file without content is not found', async () => {
  const key = newKey();
  const ids = { _id: newId(), organization: newId(), conversation: newId(), createdBy: newId() };
  await insertFile({ ...ids, key, place: 'gridfs' });
  expect(await findFile(key)).toBeNull();
  expect((await holdFiles([key], ids)).size).toBe(0);
});

test('a conversation holds its own files only', async () => {
  const { key, id, conversation } = await store();
  expect((await holdFiles([key], { conversation: newId() })).size).toBe(0);
  expect((await holdFiles([key], { conversation })).get(key)?._id).toBe(id);
});

test('files of a pending chat become files of the conversation', async () => {
  const { key, conversation: pending } = await store();
  const conversation = newId();
  expect((await holdFiles([key], { conversation, pending })).get(key)).toMatchObject({ conversation });
  expect((await holdFiles([key], { conversation })).size).toBe(1);
});

test('a file expires with its last message, and not before', async () => {
  const { key, id, conversation } = await store();
  await noteMessageFiles(conversation, { message: 'one', keys: [key] });
  await noteMessageFiles(conversation, { message: 'two', keys: [key] });
  await noteMessageFiles(conversation, { message: 'two', keys: [key] });
  expect((await fileModel.findById(id).lean())?.expiresAt).toBeUndefined();
  await releaseMessageFiles(conversation, { message: 'one', kept: [] });
  await releaseMessageFiles(conversation, { message: 'two', kept: [key] });
  expect(await findFile(key)).not.toBeNull();
  await releaseMessageFiles(conversation, { message: 'two', kept: [] });
  expect(await findFile(key)).toBeNull();
});

test('the cleaner removes expired files with their contents and keeps the others', async () => {
  const organization = newId();
  const [old, unused, used] = [
    await store({ organization }),
    await store({ organization }),
    await store({ organization }),
  ];
  await noteMessageFiles(used.conversation, { message: 'one', keys: [used.key] });
  expect(await findUsage(organization)).toBe(900);
  await expire(old.id);
  await removeExpiredFiles(contents);
  expect(await fileModel.findById(old.id).lean()).toBeNull();
  expect(await countChunks(old.id)).toBe(0);
  for (const { id } of [unused, used]) expect(await countChunks(id)).toBe(1);
  expect(await findUsage(organization)).toBe(600);
});

test('the erasure of a conversation removes used and unused files, and no file of another', async () => {
  const conversation = newId();
  const files = [await store({ conversation }), await store({ conversation })];
  const other = await store();
  await noteMessageFiles(conversation, { message: 'one', keys: [files[0]?.key ?? ''] });
  await removeConversationFiles(conversation, { files: contents, log });
  for (const { key, id } of files) {
    expect(await findFile(key)).toBeNull();
    expect(await countChunks(id)).toBe(0);
  }
  expect(await findFile(other.key)).not.toBeNull();
});

test('a conversation is erased while the bucket of its files is down, and the cleaner removes them later', async () => {
  const { id, key, conversation } = await store();
  const down = { ...contents, remove: () => Promise.reject(new Error('down')) };
  await removeConversationFiles(conversation, { files: down, log });
  expect(await findFile(key)).toBeNull();
  expect(warned).toHaveLength(1);
  await expect(removeExpiredFiles(down)).rejects.toThrow('down');
  await removeExpiredFiles(contents);
  expect(await fileModel.findById(id).lean()).toBeNull();
});

test('the cleaner removes the record and the content of an upload that a crash left incomplete', async () => {
  const id = newId();
  const ids = { organization: newId(), conversation: newId(), createdBy: newId() };
  await insertFile({ _id: id, key: newKey(), ...ids, place: 'gridfs' });
  await contents.write(id, pieces(randomBytes(300_000)));
  await expire(id);
  await removeExpiredFiles(contents);
  expect(await fileModel.findById(id).lean()).toBeNull();
  expect(await countChunks(id)).toBe(0);
});

test('an upload that ends after the deletion of its conversation is not complete', async () => {
  const { id, conversation } = await store();
  await expire(id);
  expect(await completeFile(id, { ...CONTENT, bytes: 1 })).toBe(false);
  await removeConversationFiles(conversation, { files: contents, log });
});

test('concurrent reservations never exceed the quota', async () => {
  const organization = newId();
  expect(await findUsage(organization)).toBe(0);
  const reserved = await Promise.all(Array.from({ length: 10 }, () => reserveUsage(organization, 30, 100)));
  expect(reserved.filter(Boolean)).toHaveLength(3);
  await addUsage(organization, -30);
  expect(await reserveUsage(organization, 40, 100)).toBe(true);
  expect(await findUsage(organization)).toBe(100);
});
