import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Frame, Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Returns the serious and critical findings of axe in a page or a frame, without its child frames.
 */
export async function axeFinds(place: Page | Frame): Promise<string[]> {
  // Runs axe over the debugging protocol, because the policy of the page blocks injected scripts.
  const page = 'page' in place ? place.page() : place;
  const session = await page.context().newCDPSession(page);
  const contexts = new Map<unknown, number>();
  session.on('Runtime.executionContextCreated', ({ context: { id, auxData } }) => {
    if (auxData?.['isDefault']) contexts.set(auxData['frameId'], id);
  });
  await session.send('Runtime.enable');
  const { frameTree } = await session.send('Page.getFrameTree');
  const frames = [frameTree, ...(frameTree.childFrames ?? [])].map(({ frame }) => frame);
  const wanted = frames.find(({ url, urlFragment = '' }) => url + urlFragment === place.url());
  const contextId = contexts.get(wanted?.id);
  if (contextId === undefined) throw new Error(`There is no frame ${place.url()}.`);
  const run = async (expression: string) =>
    (await session.send('Runtime.evaluate', { expression, contextId, awaitPromise: true })).result
      .value as unknown;
  await run(AXE);
  const found = await run(`axe.run({ iframes: false }).then(({ violations }) => JSON.stringify(violations
    .filter(({ impact }) => ['serious', 'critical'].includes(impact))
    .map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)].join(' '))))`);
  return JSON.parse(String(found)) as string[];
}
