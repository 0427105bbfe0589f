import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { beforeAll, describe, expect, test } from 'vitest';

const FOLDER = new URL('histories/', import.meta.url);
const workflowBundle = { codePath: fileURLToPath(new URL('../../dist/workflow-bundle.js', import.meta.url)) };

interface History {
  events: { eventType: string; markerRecordedEventAttributes?: unknown; [attributes: string]: unknown }[];
}

/**
 * Conversations live longer than releases: what an earlier release began, this one has to go on with. The histories were recorded from
 * releases (test/workflows/record-histories.test.ts) and stay for ever; a change of the order of commands needs `patched`.
 */
describe('histories of earlier releases', async () => {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.json')).sort();
  const read = async (name: string) => JSON.parse(await readFile(new URL(name, FOLDER), 'utf8')) as History;

  beforeAll(() => {
    Runtime.install({ logger: new DefaultLogger('ERROR') });
  });

  test.each(['fresh', 'delayed', 'continued', 'reopened', 'erasure', 'delivery'])(
    '%s is among them',
    (kind) => {
      expect(names.filter((name) => name.includes(`-${kind}-`))).not.toEqual([]);
    },
  );

  test.each(names)('%s replays', async (name) => {
    await expect(Worker.runReplayHistory({ workflowBundle }, await read(name))).resolves.toBeUndefined();
  });

  test('a workflow that does something else than it did is noticed', async () => {
    const history = await read(names.find((name) => name.includes('-fresh-')) ?? '');
    // As if the workflow had once set its search attributes at another place.
    const at = history.events.findIndex(({ eventType }) =>
      eventType.includes('UPSERT_WORKFLOW_SEARCH_ATTRIBUTES'),
    );
    const marker = history.events.findIndex(({ eventType }) => eventType.includes('MARKER_RECORDED'));
    const events = [...history.events];
    [events[at], events[marker]] = [events[marker]!, events[at]!];
    await expect(Worker.runReplayHistory({ workflowBundle }, { events })).rejects.toThrow();
  });
});
