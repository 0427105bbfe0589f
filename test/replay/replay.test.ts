import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { DeterminismViolationError } from '@temporalio/workflow';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { beforeAll, describe, expect, test } from 'vitest';
import { historyOf } from '../support/histories.ts';

const FOLDER = new URL('histories/', import.meta.url);
const workflowBundle = { codePath: fileURLToPath(new URL('../../dist/workflow-bundle.js', import.meta.url)) };

/**
 * Conversations live longer than releases: what an earlier release began, this one has to go on
 * with. The histories were recorded from releases (test/workflows/record-histories.test.ts) and
 * stay for ever; a change of the order of commands needs `patched`.
 */
describe('histories of earlier releases', async () => {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.json')).sort();
  const read = async (name: string) => historyOf(await readFile(new URL(name, FOLDER), 'utf8'));

  beforeAll(() => {
    Runtime.install({ logger: new DefaultLogger('ERROR') });
  });

  test.each(['fresh', 'delayed', 'continued', 'reopened', 'blocked', 'erasure', 'delivery'])(
    '%s is among them',
    (kind) => {
      expect(names.filter((name) => name.includes(`-${kind}-`))).not.toEqual([]);
    },
  );

  test.each(names)('%s replays', async (name) => {
    await expect(Worker.runReplayHistory({ workflowBundle }, await read(name))).resolves.toBeUndefined();
  });

  test('a workflow that does something else than it did is noticed', async () => {
    const { events } = await read(names.find((name) => name.includes('-fresh-')) ?? '');
    const started = events[0]?.workflowExecutionStartedEventAttributes;
    expect(started?.workflowType?.name).toBe('conversation');
    // As if conversations had once done what erasures do.
    started!.workflowType = { name: 'erasure' };
    await expect(Worker.runReplayHistory({ workflowBundle }, { events })).rejects.toThrow(
      DeterminismViolationError,
    );
  });
});
