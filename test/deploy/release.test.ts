import { describe, expect, test } from 'vitest';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { foreignNames, notesOf, obstacle, published, released } from '../../deploy/release.mjs';

const changelog = '# Changelog\n\n## 0.2.0 (unreleased)\n\n- Faster.\n\n## 0.1.0, 2026-01-02\n\n- First.\n';

const ROOT = {
  repository: { type: 'git', url: 'git+https://git.example/parlance.git' },
  homepage: 'https://parlance.example',
  bugs: 'https://git.example/parlance/issues',
};

describe('npm run release', () => {
  test('a release gives the unreleased changes the version and the date, and uses these changes as release notes', () => {
    const made = released(changelog, '0.3.0', new Date('2026-05-06T07:08:09Z'));
    expect(made).toContain('## 0.3.0, 2026-05-06\n\n- Faster.');
    expect(notesOf(made)).toBe('- Faster.');
    expect(() => released(made, '0.4.0')).toThrow('CHANGELOG.md does not begin with what is unreleased');
  });

  test('a release pins the workspace packages to its own version', () => {
    const dependencies = { '@parlance/client': '*', koa: '^3.3.0' };
    expect(
      published({ name: 'parlance', dependencies }, { version: '0.3.0', folder: '.', root: ROOT }),
    ).toEqual({
      name: 'parlance',
      dependencies: { '@parlance/client': '0.3.0', koa: '^3.3.0' },
    });
  });

  test('a release gives each package the public addresses of the product', () => {
    const at = { version: '0.3.0', folder: 'packages/client', root: ROOT };
    expect(published({ name: '@parlance/client' }, at)).toEqual({
      name: '@parlance/client',
      ...ROOT,
      repository: { ...ROOT.repository, directory: 'packages/client' },
    });
  });

  test.each([
    [
      'no version is given',
      { version: undefined },
      'usage: npm run release -- VERSION, as 0.2.0; now it is 0.1.0',
    ],
    ['the version is invalid', { version: 'v1' }, 'usage: npm run release'],
    ['the version was released before', { tags: ['v0.2.0'] }, 'v0.2.0 has been released already'],
    [
      'a name of a package belongs to somebody else',
      { foreign: ['parlance'] },
      'the registry has packages of another owner: parlance.',
    ],
    ['changes are uncommitted', { changes: ' M README.md' }, 'commit these first:\n M README.md'],
    ['package.json has no public address', { root: {} }, 'package.json has no repository, homepage, bugs'],
  ])('a release is refused if %s', (_, given, words) => {
    const fine = { version: '0.2.0', current: '0.1.0', changes: '', tags: ['v0.1.0'], root: ROOT };
    expect(obstacle(fine)).toBeUndefined();
    expect(obstacle({ ...fine, ...given })).toContain(words);
  });
});

/** Serves packages by name on loopback, with their maintainers, and 404 or `status` for others. */
async function fakeRegistry(packages: Record<string, string[]>, status = 404): Promise<string> {
  const server = createServer(({ url = '' }, response) => {
    const maintainers = packages[decodeURIComponent(url.slice(1))];
    response.statusCode = maintainers ? 200 : status;
    response.end(JSON.stringify({ maintainers: maintainers?.map((name) => ({ name })) }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

describe('the names of a release', () => {
  const NAMES = ['parlance-server', '@parlance/client', '@parlance/cli'];
  const findUser = () => 'us';

  test('a release may use names that are free or that its npm user maintains', async () => {
    const free = await fakeRegistry({});
    const noUser = () => expect.unreachable('a free name needs no user') as undefined;
    expect(await foreignNames(NAMES, { registry: free, findUser: noUser })).toEqual([]);
    const ours = await fakeRegistry({ '@parlance/client': ['others', 'us'] });
    expect(await foreignNames(NAMES, { registry: ours, findUser })).toEqual([]);
  });

  test('a release finds names of other npm users, also without a login', async () => {
    const registry = await fakeRegistry({ 'parlance-server': ['us'], '@parlance/cli': ['somebody'] });
    expect(await foreignNames(NAMES, { registry, findUser })).toEqual(['@parlance/cli']);
    const loggedOut = { registry, findUser: () => undefined };
    expect(await foreignNames(NAMES, loggedOut)).toEqual(['parlance-server', '@parlance/cli']);
  });

  test('a release fails if the registry returns neither a package nor 404', async () => {
    const registry = await fakeRegistry({}, 503);
    await expect(foreignNames(NAMES, { registry, findUser })).rejects.toThrow('returned 503 for');
  });

  test('no page and no message installs a package from a registry before the first release', () => {
    const folders = ['.', 'docs', 'docs/specification', 'docs/decisions', 'examples', 'packages/cli'];
    const more = ['packages/client', 'packages/process-lock', 'packages/store-engine', 'deploy/local'];
    const files = [...folders, ...more].flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => /\.(md|mjs|ts)$/.test(name))
        .map((name) => `${folder}/${name}`),
    );
    const downloads = /npx (-y |--yes )?@?parlance|npm (i|install|add)( -\S+| --\S+)* @?parlance/;
    expect('npx @parlance/cli login').toMatch(downloads);
    expect('npm install --save @parlance/client').toMatch(downloads);
    expect(files.filter((file) => downloads.test(readFileSync(file, 'utf8')))).toEqual([]);
  });
});
