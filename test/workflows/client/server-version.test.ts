import { expect, test } from 'vitest';
import {
  OldServerError,
  isRecentServer,
  requireRecentServer,
} from '../../../workflows/client/server-version.ts';

test.each([
  ['1.27.4', false],
  ['0.28.0', false],
  ['1.28.0', true],
  ['1.31.2', true],
  ['1.100.0', true],
  ['v2.0.0-rc1', true],
  ['a build of somebody', true],
])('a Temporal server of version %s is recent enough: %s', (version, isUsable) => {
  expect(isRecentServer(version)).toBe(isUsable);
});

test('a Temporal server that is too old is refused with an error that names its version', async () => {
  const connection = (serverVersion: string) => ({
    workflowService: { getSystemInfo: () => Promise.resolve({ serverVersion }) } as never,
  });
  await expect(requireRecentServer(connection('1.27.4'))).rejects.toThrow(OldServerError);
  await expect(requireRecentServer(connection('1.27.4'))).rejects.toThrow('1.27.4, and 1.28 or newer');
  await requireRecentServer(connection('1.31.2'));
});
