import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError, unavailable } from '../../domain/errors.ts';
import type { Post, PostResult } from '../../domain/messages/post.ts';

/** Returns one result per post. `deadline` is a time of `performance.now()`. */
type SendBatch = (conversation: string, posts: Post[], deadline: number) => Promise<PostResult[]>;

const BATCH_MESSAGES = 100;
const BATCH_BYTES = 256 * 1024;
// Temporal accepts 2 MiB per request, and a request contains more than the post.
const POST_BYTES = 1280 * 1024;

const QUIET_MS = 4;

interface PendingPost {
  post: Post;
  bytes: number;
  deadline: number;
  refused: boolean;
  resolve: (result: PostResult) => void;
  reject: (error: unknown) => void;
}

/**
 * Sends the posts of each conversation in batches, one batch at a time. Posts that arrive during a
 * batch form the next batch. After a batch of several posts, waits for their callers to post again,
 * at most as long as the batch took, so that these posts form one batch.
 *
 * Rejects with DomainError `too_large` above 1.25 MiB, and with `unavailable` after `patienceMs`.
 * After `unavailable` the post may still succeed.
 */
export function createGroupCommit(send: SendBatch, patienceMs: number) {
  const lanes = new Map<string, PendingPost[]>();

  async function drain(conversation: string, lane: PendingPost[]): Promise<void> {
    while (lane.length > 0) {
      const startedAt = performance.now();
      const batch = takeBatch(lane);
      if (batch.length > 0) await sendBatch(conversation, batch);
      const [most, withinMs] = [batch.length + lane.length, performance.now() - startedAt];
      if (batch.length > 1) await waitForBatch(lane, { most, withinMs });
    }
    lanes.delete(conversation);
  }

  async function sendBatch(conversation: string, batch: PendingPost[]): Promise<void> {
    const deadline = Math.max(...batch.map((one) => one.deadline));
    const posts = batch.map(({ post }) => post);
    try {
      const results = await send(conversation, posts, deadline);
      batch.forEach((one, index) => settlePost(one, results[index]));
    } catch (error) {
      for (const one of batch) one.reject(error);
    }
  }

  function join(conversation: string, waiting: PendingPost): void {
    const lane = lanes.get(conversation) ?? [];
    lane.push(waiting);
    if (lanes.has(conversation)) return;
    lanes.set(conversation, lane);
    void drain(conversation, lane);
  }

  return async function post(conversation: string, post: Post): Promise<PostResult> {
    const deadline = performance.now() + patienceMs;
    const bytes = Buffer.byteLength(JSON.stringify(post));
    if (bytes > POST_BYTES) throw tooLargeError();
    let tooLate: NodeJS.Timeout | undefined;
    const result = new Promise<PostResult>((resolve, reject) => {
      const waiting = { post, bytes, deadline, refused: false, resolve, reject };
      tooLate = setTimeout(() => {
        waiting.refused = true;
        reject(unavailable());
      }, patienceMs);
      join(conversation, waiting);
    });
    return result.finally(() => clearTimeout(tooLate));
  };
}

async function waitForBatch(
  lane: PendingPost[],
  { most, withinMs }: { most: number; withinMs: number },
): Promise<void> {
  const until = performance.now() + withinMs;
  let quiet = 0;
  while (lane.length < most && quiet < QUIET_MS && performance.now() < until) {
    const before = lane.length;
    await sleep(1);
    quiet = lane.length > before ? 0 : quiet + 1;
  }
}

function tooLargeError(): DomainError {
  return new DomainError(
    'too_large',
    'With all their defaults, the messages of a request may have 1.25 MiB.',
  );
}

function takeBatch(lane: PendingPost[]): PendingPost[] {
  const batch: PendingPost[] = [];
  let messages = 0;
  let bytes = 0;
  for (let next = lane[0]; next !== undefined; next = lane[0]) {
    if (next.refused || next.deadline <= performance.now()) {
      lane.shift();
      continue;
    }
    messages += next.post.messages.length;
    bytes += next.bytes;
    if (batch.length > 0 && (messages > BATCH_MESSAGES || bytes > BATCH_BYTES)) break;
    lane.shift();
    batch.push(next);
  }
  return batch;
}

function settlePost(waiting: PendingPost, result: PostResult | undefined): void {
  if (result) waiting.resolve(result);
  else waiting.reject(new Error('a batch returned too few results'));
}
