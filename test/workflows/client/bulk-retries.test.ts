import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client';
import type { Client, Connection } from '@temporalio/client';
import { describe, expect, test } from 'vitest';
import { DomainError } from '../../../domain/errors.ts';
import { MAX_BULK_RETRIES, startBulkRetry } from '../../../workflows/client/bulk-retries.ts';

const connection = {
  withDeadline: (_: number, call: () => Promise<unknown>) => call(),
} as unknown as Connection;

/** Simulates a Temporal server that stores only the running workflows and their memos. */
function server() {
  const running = new Map<string, unknown>();
  const workflow = {
    getHandle: (id: string) => ({
      describe: () =>
        running.has(id)
          ? Promise.resolve({ status: { name: 'RUNNING' }, memo: running.get(id) })
          : Promise.reject(new WorkflowNotFoundError('none', id, undefined)),
    }),
    start(type: string, { workflowId, memo }: { workflowId: string; memo: unknown }) {
      if (running.has(workflowId))
        return Promise.reject(new WorkflowExecutionAlreadyStartedError('runs', workflowId, type));
      running.set(workflowId, memo);
      return Promise.resolve();
    },
  };
  return { running, client: { workflow } as unknown as Client };
}

let requests = 0;

/**
 * Requests a bulk retry of the events of a type. Resolves with `started`, or with the error code of
 * a refusal.
 */
async function retry(client: Client, eventtype: string, { tenant = 'o', id = '' } = {}) {
  const selection = {
    of: { eventtype },
    status: 'failed' as const,
    since: '2026-01-01T00:00:00.000Z',
    until: new Date(1e12 + requests).toISOString(),
  };
  requests += 1;
  const input = { selection, tenant, id: id === '' ? `request ${requests}` : id };
  return startBulkRetry({ client, connection }, input, 20_000).then(
    () => 'started',
    (error: unknown) => (error instanceof DomainError ? error.code : error),
  );
}

/** Spec 8.3. */
describe('a bulk retry', () => {
  test('concurrent requests for a bulk retry of the same events start one bulk retry', async () => {
    const { client, running } = server();
    const ends = await Promise.all(Array.from({ length: 20 }, () => retry(client, 'type')));
    expect([ends.filter((end) => end === 'started').length, running.size]).toEqual([1, 1]);
    expect(ends.filter((end) => end === 'conflict')).toHaveLength(19);
  });

  test('a repeated request for a bulk retry is accepted and starts no second run', async () => {
    const { client, running } = server();
    expect(await retry(client, 'type', { id: 'one' })).toBe('started');
    expect(await retry(client, 'type', { id: 'one' })).toBe('started');
    expect(running.size).toBe(1);
  });

  test('an organization can run only a limited number of bulk retries at once', async () => {
    const { client, running } = server();
    for (let at = 0; at < MAX_BULK_RETRIES; at += 1)
      expect(await retry(client, `type ${at}`)).toBe('started');
    expect(await retry(client, 'one more')).toBe('rate_limited');
    expect(await retry(client, 'one more', { tenant: 'other' })).toBe('started');
    const [ended = ''] = running.keys();
    running.delete(ended);
    expect(await retry(client, 'one more')).toBe('started');
  });

  test('the limit of bulk retries per organization holds for concurrent requests', async () => {
    const { client, running } = server();
    const ends = await Promise.all(Array.from({ length: 30 }, (_, at) => retry(client, `type ${at}`)));
    expect(running.size).toBe(MAX_BULK_RETRIES);
    expect(ends.filter((end) => end === 'rate_limited')).toHaveLength(30 - MAX_BULK_RETRIES);
  });
});
