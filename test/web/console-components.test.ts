import type { BrowserContextOptions } from 'playwright-core';
import { expect, test } from 'vitest';
import { axeFinds } from './axe.ts';
import { keepShot } from './browser.ts';
import { newPerson, openConsole } from './console.ts';
import { faintWhenHovered, overlapping, unreachable } from './layout.ts';
import { stage } from './stage.ts';

const on = stage('console_components');

test.each<[string, BrowserContextOptions]>([
  ['desktop', { viewport: { width: 1440, height: 900 } }],
  ['dark desktop', { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' }],
  ['phone', { viewport: { width: 390, height: 844 } }],
])(
  'the page of components shows every part on a %s without a finding of axe or the layout',
  async (look, options) => {
    const agent = await newPerson(on.product, { role: 'agent' });
    const { page, complaints } = await openConsole(on, agent, { place: '#/components', ...options });
    await page.getByRole('heading', { name: 'Components', exact: true }).waitFor();
    await page.locator('.day').nth(1).waitFor();
    await keepShot(page, `components-${look}`);
    expect(await axeFinds(page)).toEqual([]);
    expect([await unreachable(page), await overlapping(page), await faintWhenHovered(page)]).toEqual([
      [],
      [],
      [],
    ]);
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('menuitem', { name: 'One' }).waitFor();
    await page.keyboard.press('Escape');
    expect(complaints).toEqual([]);
  },
);
