import { describe, expect, test } from 'vitest';
import { notesOf, obstacle, pinned, released } from '../../deploy/release.mjs';

const changelog = '# Changelog\n\n## 0.2.0 (unreleased)\n\n- Faster.\n\n## 0.1.0, 2026-01-02\n\n- First.\n';

describe('npm run release', () => {
  test('a release gives the unreleased changes the version and the date, and uses these changes as release notes', () => {
    const made = released(changelog, '0.3.0', new Date('2026-05-06T07:08:09Z'));
    expect(made).toContain('## 0.3.0, 2026-05-06\n\n- Faster.');
    expect(notesOf(made)).toBe('- Faster.');
    expect(() => released(made, '0.4.0')).toThrow('CHANGELOG.md does not begin with what is unreleased');
  });

  test('a release pins the workspace packages to its own version', () => {
    const dependencies = { '@parlance/client': '*', koa: '^3.3.0' };
    expect(pinned({ name: 'parlance', dependencies }, '0.3.0')).toEqual({
      name: 'parlance',
      dependencies: { '@parlance/client': '0.3.0', koa: '^3.3.0' },
    });
    expect(pinned({ name: '@parlance/client' }, '0.3.0')).toEqual({ name: '@parlance/client' });
  });

  test.each([
    [
      'no version is given',
      { version: undefined },
      'usage: npm run release -- VERSION, as 0.2.0; now it is 0.1.0',
    ],
    ['the version is invalid', { version: 'v1' }, 'usage: npm run release'],
    ['the version was released before', { tags: ['v0.2.0'] }, 'v0.2.0 has been released already'],
    ['changes are uncommitted', { changes: ' M README.md' }, 'commit these first:\n M README.md'],
  ])('a release is refused if %s', (_, given, words) => {
    const fine = { version: '0.2.0', current: '0.1.0', changes: '', tags: ['v0.1.0'] };
    expect(obstacle(fine)).toBeUndefined();
    expect(obstacle({ ...fine, ...given })).toContain(words);
  });
});
