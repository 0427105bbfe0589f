import { ParlanceError } from '@parlance/client';
import { expect, test } from 'vitest';
import { changeLatest } from '../../web/console/change-latest.ts';
import { formatProfileDraft, parseProfileDraft } from '../../web/console/contacts/profile-draft.ts';

/** A record with a version. Before each of the first `rivals` writes, another user writes. */
function record(rivals: number, failure?: ParlanceError) {
  const state = { value: 1, version: 1, reads: 0 };
  return {
    state,
    read: () => {
      state.reads += 1;
      return Promise.resolve({
        body: state.value,
        headers: new Headers({ etag: `"${state.version}"` }),
      });
    },
    write: (value: number, headers: Record<string, string>) => {
      if (failure) return Promise.reject(failure);
      if (state.reads <= rivals)
        Object.assign(state, { value: state.value * 10, version: state.version + 1 });
      if (headers['if-match'] !== `"${state.version}"`)
        return Promise.reject(new ParlanceError('changed', { status: 412, code: 'precondition_failed' }));
      Object.assign(state, { value, version: state.version + 1 });
      return Promise.resolve(value);
    },
  };
}

const addOne = (value: number) => value + 1;

test('a change in the console is made to the newest version of a record', async () => {
  const { state, ...calls } = record(3);
  expect(await changeLatest({ ...calls, change: addOne })).toBe(1001);
  expect(state).toMatchObject({ value: 1001, reads: 4 });
});

test('a change in the console ends with the refusal of a record that changes all the time', async () => {
  const { state, ...calls } = record(Infinity);
  await expect(changeLatest({ ...calls, change: addOne })).rejects.toMatchObject({ status: 412 });
  expect(state.reads).toBe(5);
});

test('a change in the console is not repeated after another refusal, or if nothing is to change', async () => {
  const refusal = new ParlanceError('invalid', { status: 422, code: 'unprocessable' });
  const refused = record(0, refusal);
  await expect(changeLatest({ ...refused, change: addOne })).rejects.toBe(refusal);
  const done = record(0);
  expect(await changeLatest({ ...done, change: () => undefined })).toBe(1);
  const conflict = record(0);
  const fail = () => {
    throw new ParlanceError('conflict', { status: 412, code: 'precondition_failed' });
  };
  await expect(changeLatest({ ...conflict, change: fail })).rejects.toThrow('conflict');
  expect([refused.state.reads, done.state.reads, conflict.state.reads]).toEqual([1, 1, 1]);
});

test('the draft of a profile has the edited fields alone, and other stored text is ignored', () => {
  const before = { name: 'Ada', email: 'ada@example.com', 'address.city': '' };
  expect(formatProfileDraft(before, before)).toBe('');
  const text = formatProfileDraft(before, { ...before, name: '', 'address.city': 'Utrecht' });
  expect(parseProfileDraft(text)).toEqual({
    before: { name: 'Ada', 'address.city': '' },
    edited: { name: '', 'address.city': 'Utrecht' },
  });
  expect(['', '{', '3', 'null', '{"edited":{}}', '{"before":1}'].map(parseProfileDraft)).toEqual(
    Array(6).fill(undefined),
  );
  expect(parseProfileDraft('{"before":{"a":1},"edited":{"b":{}}}')).toEqual({ before: {}, edited: {} });
});
