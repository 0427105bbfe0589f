import { describe, expect, test } from 'vitest';
import { createGroupCommit } from '../../../workflows/client/group-commit.ts';
import type { Post, PostResult } from '../../../domain/messages/post.ts';
import { eventually } from '../../support/eventually.ts';

const caller = { user: 'u', role: 'bot', origin: 'message' } as const;

function post(name: string, { messages = 1, letters = 10 } = {}): Post {
  const message = (n: number) => ({ id: `${name}${n}`, text: 'x'.repeat(letters) });
  return { caller, messages: Array.from({ length: messages }, (_, n) => message(n)) as Post['messages'] };
}

/** Creates a `send` whose batches finish only when the test calls `release`. */
function gated() {
  const sent: { conversation: string; ids: string[]; release: (error?: Error) => void }[] = [];
  const send = (conversation: string, posts: Post[]) =>
    new Promise<PostResult[]>((resolve, reject) => {
      const results = posts.map(({ messages }) => ({ posted: messages.map(({ id }) => ({ id })) }));
      const ids = posts.flatMap(({ messages }) => messages.map(({ id }) => id));
      sent.push({ conversation, ids, release: (error) => (error ? reject(error) : resolve(results)) });
    });
  return { sent, send };
}

async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

describe('a group commit', () => {
  test('a group commit sends a lone post at once and later posts together, in order of arrival', async () => {
    const { sent, send } = gated();
    const grouped = createGroupCommit(send, 5_000);
    const posts = ['a', 'b', 'c'].map((name) => grouped('one', post(name)));
    expect(sent.map(({ ids }) => ids)).toEqual([['a0']]);
    sent[0]?.release();
    await settled();
    expect(sent.map(({ ids }) => ids)).toEqual([['a0'], ['b0', 'c0']]);
    sent[1]?.release();
    expect(await Promise.all(posts)).toEqual(['a0', 'b0', 'c0'].map((id) => ({ posted: [{ id }] })));
  });

  test('a group commit waits for the callers of the last batch to post again, and sends their posts in one batch', async () => {
    const { sent, send } = gated();
    const grouped = createGroupCommit(send, 5_000);
    const posts = ['a', 'b', 'c'].map((name) => grouped('one', post(name)));
    sent[0]?.release();
    await settled();
    sent[1]?.release();
    await Promise.all(posts);
    const again = ['d', 'e'].map((name) => grouped('one', post(name)));
    await eventually(() => sent.length >= 3);
    expect(sent[2]?.ids).toEqual(['d0', 'e0']);
    sent[2]?.release();
    await Promise.all(again);
    const alone = grouped('one', post('f'));
    await eventually(() => sent.length >= 4);
    sent[3]?.release();
    await expect(alone).resolves.toEqual({ posted: [{ id: 'f0' }] });
  });

  test('a group commit sends one batch per conversation at a time and does not delay other conversations', async () => {
    const { sent, send } = gated();
    const grouped = createGroupCommit(send, 5_000);
    const posts = [grouped('one', post('a')), grouped('one', post('b')), grouped('two', post('c'))];
    await settled();
    expect(sent.map(({ conversation }) => conversation)).toEqual(['one', 'two']);
    sent[1]?.release();
    sent[0]?.release();
    await settled();
    expect(sent.map(({ conversation }) => conversation)).toEqual(['one', 'two', 'one']);
    sent[2]?.release();
    await Promise.all(posts);
  });

  test('a group commit sends at most 100 messages and 256 KiB in a batch, and sends a larger post alone', async () => {
    const { sent, send } = gated();
    const grouped = createGroupCommit(send, 5_000);
    const posts = [
      grouped('one', post('first')),
      grouped('one', post('many', { messages: 60 })),
      grouped('one', post('more', { messages: 60 })),
      grouped('one', post('large', { letters: 400_000 })),
      grouped('one', post('small')),
    ];
    for (let batch = 0; batch < 5; batch += 1) {
      await settled();
      sent[batch]?.release();
    }
    await Promise.all(posts);
    expect(sent.map(({ ids }) => ids.length)).toEqual([1, 60, 60, 1, 1]);
  });

  test('a group commit rejects the post of a failed batch and continues with the next batch', async () => {
    const { sent, send } = gated();
    const grouped = createGroupCommit(send, 5_000);
    const first = grouped('one', post('a'));
    const second = grouped('one', post('b'));
    sent[0]?.release(new Error('broken'));
    await expect(first).rejects.toThrow('broken');
    await settled();
    sent[1]?.release();
    await expect(second).resolves.toEqual({ posted: [{ id: 'b0' }] });
  });

  test('a group commit rejects posts at their deadline, and does not send a post later that was still waiting', async () => {
    const { sent, send } = gated();
    const grouped = createGroupCommit(send, 50);
    const stuck = grouped('one', post('a'));
    const waiting = grouped('one', post('b'));
    await expect(stuck).rejects.toMatchObject({ code: 'unavailable' });
    await expect(waiting).rejects.toMatchObject({ code: 'unavailable' });
    sent[0]?.release();
    await settled();
    expect(sent.map(({ ids }) => ids)).toEqual([['a0']]);
  });
});
