import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { openBrowser } from './browser.ts';

const PAGE = `
import { render } from 'preact';
import { lazy } from './lazy.tsx';

let arrive;
const module = new Promise((resolve) => (arrive = resolve));
const Part = lazy(() => module, 'Part');
Part.begin();
render(<Part />, document.body);
// In this task, thus before the effects of the rendering.
arrive({ Part: () => <p>The part</p> });
`;

test('a part of the console that arrives between its first rendering and the effects is shown', async () => {
  const { outputFiles } = await build({
    stdin: { contents: PAGE, loader: 'tsx', resolveDir: 'web/console' },
    bundle: true,
    write: false,
    format: 'iife',
    jsx: 'automatic',
    jsxImportSource: 'preact',
  });
  const page = await (await openBrowser()).newPage();
  try {
    await page.setContent('<body></body>');
    await page.addScriptTag({ content: outputFiles[0]!.text });
    await expect.poll(() => page.locator('body').innerText()).toBe('The part');
  } finally {
    await page.close();
  }
});
