import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { DeterminismViolationError } from '@temporalio/workflow';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { beforeAll, describe, expect, test } from 'vitest';
import { parseHistory } from '../support/histories.ts';

const FOLDER = new URL('histories/', import.meta.url);
const workflowBundle = { codePath: fileURLToPath(new URL('../../dist/workflow-bundle.js', import.meta.url)) };

/**
 * A conversation may run longer than one release is deployed, so a release must replay the
 * histories of earlier releases. `test/workflows/record-histories.test.ts` records these histories
 * (docs/decisions/upgrades.md).
 */
describe('recorded histories', async () => {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.json')).sort();
  const read = async (name: string) => parseHistory(await readFile(new URL(name, FOLDER), 'utf8'));

  beforeAll(() => {
    Runtime.install({ logger: new DefaultLogger('ERROR') });
  });

  test.each(['fresh', 'delayed', 'continued', 'reopened', 'blocked', 'timers', 'erasure', 'delivery'])(
    'recorded histories include the kind %s',
    (kind) => {
      expect(names.filter((name) => name.includes(`-${kind}-`))).not.toEqual([]);
    },
  );

  test.each(names)('the recorded history %s replays without an error', async (name) => {
    await expect(Worker.runReplayHistory({ workflowBundle }, await read(name))).resolves.toBeUndefined();
  });

  test('a recorded history does not replay in a workflow with other commands', async () => {
    const { events } = await read(names.find((name) => name.includes('-fresh-')) ?? '');
    const started = events[0]?.workflowExecutionStartedEventAttributes;
    expect(started?.workflowType?.name).toBe('conversation');
    started!.workflowType = { name: 'erasure' };
    await expect(Worker.runReplayHistory({ workflowBundle }, { events })).rejects.toThrow(
      DeterminismViolationError,
    );
  });
});
