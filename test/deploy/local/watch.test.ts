import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { watchSources } from '../../../deploy/local/watch.ts';
import { eventually } from '../../support/eventually.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const BUILD_MS = 400;

/** Watches a folder and counts the builds. Each build takes `BUILD_MS`. */
async function watched() {
  const { path, remove } = await temporaryFolder();
  onTestFinished(remove);
  const folder = join(path, 'api', 'records');
  await mkdir(folder, { recursive: true });
  const seen = { begun: 0, ended: 0, mostAtOnce: 0 };
  const stop = watchSources(path, ['api', 'not-there'], async () => {
    seen.begun += 1;
    seen.mostAtOnce = Math.max(seen.mostAtOnce, seen.begun - seen.ended);
    await wait(BUILD_MS);
    seen.ended += 1;
  });
  onTestFinished(stop);
  const save = (name: string) => writeFile(join(folder, name), String(seen.begun));
  return { seen, save };
}

test('a burst of saved files under `npm run dev` is built together, not once for each file', async () => {
  const { seen, save } = await watched();
  await Promise.all(Array.from({ length: 50 }, (_, at) => save(`${at}.ts`)));
  await eventually(() => seen.ended > 0 && seen.ended === seen.begun);
  // More than one build is acceptable, because the machine may stall during the burst.
  expect(seen.begun).toBeLessThan(10);
});

test('a file saved during a build under `npm run dev` is built after that build ends, not in parallel', async () => {
  const { seen, save } = await watched();
  await save('a.ts');
  await eventually(() => seen.begun === 1);
  await save('b.ts');
  await eventually(() => seen.ended === 2);
  expect(seen.mostAtOnce).toBe(1);
});
