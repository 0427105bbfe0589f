import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../support/fetched.ts';
import type { Product } from '../support/product.ts';
import { startReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { sharedApi } from '../support/shared-servers.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { theCluster } from './cluster.ts';
import { newLoad } from './load.ts';
import type { Load } from './load.ts';

/** The previous version: the commit before, a named commit, or the image of a release. */
const { UPGRADE_FROM: commit = 'HEAD~1', UPGRADE_FROM_IMAGE: release } = process.env;
const cluster = theCluster();

async function makeImageBefore(): Promise<void> {
  if (release !== undefined) {
    await cluster.docker('tag', release, 'parlance:before');
    return;
  }
  const folder = await temporaryFolder('parlance-before-');
  const extract = `git archive ${commit} | tar --extract --directory "$FOLDER"`;
  await run('bash', ['-euo', 'pipefail', '-c', extract], { cwd: '.', env: { FOLDER: folder.path } });
  await cluster.docker('build', '--quiet', '--tag', 'parlance:before', folder.path);
  await folder.remove();
}

/** Runs the commands of docs/deployment.md, "A deploy, in order". */
describe('a deploy on compose', () => {
  let product: Product;
  let receiver: Receiver;
  let load: Load;
  let commands: string[];

  beforeAll(async () => {
    const guide = await readFile('docs/deployment.md', 'utf8');
    const [, section = ''] = guide.split('## A deploy, in order');
    commands = [...section.matchAll(/```sh\n(.*?)```/gs)].map(([, lines = '']) => lines);
    await makeImageBefore();
    product = await sharedApi('roll');
    receiver = await startReceiver();
    load = await newLoad(product, receiver);
  });
  afterAll(async () => {
    await receiver.close();
    await product.close();
    await cluster.docker('image', 'rm', 'parlance:before');
  });

  const processes = async () => {
    const all = await Promise.all(['api-1', 'api-2', 'worker'].map(cluster.containers));
    return all.flat();
  };
  const images = async () => {
    const format = '{{.Image}}';
    const all = await cluster.docker('inspect', '--format', format, ...(await processes()));
    return [...new Set(all.trim().split('\n'))];
  };
  const imageOf = async (name: string) =>
    (await cluster.docker('image', 'inspect', '--format', '{{.Id}}', name)).trim();

  /** Runs commands under load. Asserts that every process was replaced and no request failed. */
  async function deploy(lines: string, env: NodeJS.ProcessEnv = {}) {
    const before = await processes();
    const [startedAt, posts] = [Date.now(), load.count()];
    const writers = load.start();
    try {
      await cluster.shell(lines, env);
    } finally {
      await writers.end();
    }
    const after = await processes();
    console.log(
      `${load.count() - posts} posts in ${Math.round((Date.now() - startedAt) / 1_000)} s of a deploy`,
    );
    expect(after).toHaveLength(before.length);
    expect(after.filter((one) => before.includes(one))).toEqual([]);
    expect(writers.failed).toEqual([]);
    await load.expectAllKept();
    expect(load.doubles()).toBe(0);
  }

  test('a deploy on compose returns to the previous release without a failed request or a repeated webhook', async () => {
    const [, back = ''] = commands;
    await deploy(back.replace('<version>', 'before'));
    expect(await images()).toEqual([await imageOf('parlance:before')]);
  });

  test('a deploy on compose upgrades to this release without a failed request or a repeated webhook', async () => {
    const [forth = ''] = commands;
    await deploy(forth);
    expect(await images()).toEqual([await imageOf('parlance:local')]);
  });
});
