import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { COMPOSE_ALIAS, createShell } from '../support/operator-shell.ts';
import type { Product } from '../support/product.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { sharedApi } from '../support/shared-servers.ts';
import { theCluster } from './cluster.ts';
import { newLoad } from './load.ts';
import type { Load } from './load.ts';

const cluster = theCluster();

/** Runs the commands, with the build ids, of docs/deployment.md, "Workers as versions". */
describe('worker versions on compose', () => {
  const operator = createShell({ environment: {}, folder: cluster.folder, begin: COMPOSE_ALIAS });
  let product: Product;
  let receiver: Receiver;
  let load: Load;
  let start: string;
  let steps: string[];

  beforeAll(async () => {
    const [, section = ''] = (await readFile('docs/deployment.md', 'utf8')).split('### Workers as versions');
    const blocks = [...section.matchAll(/```sh\n(.*?)```/gs)].map(([, lines = '']) => lines);
    steps = (blocks[0] ?? '').split('\n').filter((line) => line.startsWith('temporal '));
    start = blocks[1] ?? '';
    product = await sharedApi('versions');
    receiver = await startReceiver();
    load = await newLoad(product, receiver);
  });
  afterAll(async () => {
    // Returns to unversioned workers in any case.
    const command = 'worker deployment set-current-version --deployment-name parlance --unversioned --yes';
    await operator.run(`temporal ${command}`);
    await cluster.compose('up', '--detach', '--wait', '--no-deps', '--force-recreate', 'worker');
    await receiver.close();
    await product.close();
  });

  const step = (words: string, build = '0.2.0') => {
    const found = steps.filter((line) => line.includes(words) && line.includes(build));
    expect(found.length, words).toBeGreaterThan(0);
    return operator.run(found[0] ?? '');
  };
  const workers = async () => (await cluster.compose('ps', '--quiet', 'worker')).trim().split('\n');
  const buildsOf = async (containers: string[]) => {
    const printed = await cluster.docker('inspect', '--format', '{{json .Config.Env}}', ...containers);
    const environments = printed
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as string[]);
    return environments.map((one) => one.find((line) => line.startsWith('WORKER_BUILD_ID='))?.split('=')[1]);
  };

  /** Starts workers of a build next to the existing workers. Returns the existing workers. */
  async function startBuild(build: string): Promise<string[]> {
    const old = await workers();
    await cluster.shell(start.replace('0.2.0', build));
    expect((await buildsOf(await workers())).toSorted()).toEqual(
      [...(await buildsOf(old)), build, build].toSorted(),
    );
    // Temporal registers a version when its workers poll for tasks.
    await eventually(async () => (await operator.run(steps[0] ?? '')).includes(build));
    return old;
  }
  const end = async (containers: string[]) => {
    await cluster.docker('stop', '--time', '40', ...containers);
    await cluster.docker('rm', ...containers);
  };

  test('worker versions on compose run side by side, get a share of the conversations, become current and are rolled back, without a failed request', async () => {
    const writers = load.start();
    const unversioned = await startBuild('0.1.0');
    await step('set-current-version', '0.1.0');
    await load.progress();
    await end(unversioned);
    await load.progress();
    const first = await startBuild('0.2.0');
    await step('set-ramping-version');
    await load.progress();
    await step('set-current-version');
    await load.progress();
    await step('set-current-version', '0.1.0');
    await load.progress();
    await step('set-current-version');
    await end(first);
    expect(await buildsOf(await workers())).toEqual(['0.2.0', '0.2.0']);
    expect(await step('describe-version', '0.1.0')).toMatch(/drain/i);
    await load.progress();
    await writers.end();
    expect(writers.failed).toEqual([]);
    await load.expectAllKept();
    expect(load.doubles()).toBe(0);
  });
});
