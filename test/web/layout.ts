import type { Page } from 'playwright-core';

const MIN_CONTRAST = 4.5;

/**
 * Scrolls to each control. Returns the controls that are still outside the window or covered by
 * another element.
 */
export async function unreachable(page: Page): Promise<string[]> {
  return page.evaluate<
    string[]
  >(`[...document.querySelectorAll('#console :is(a, button, input, select, textarea):not(.skip)')]
    .filter((element) => element.checkVisibility() && !element.closest('[inert]'))
    .flatMap((element) => {
      element.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      const { left, right, top, bottom } = element.getClientRects()[0] ?? {};
      const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      const isSeen = left >= -1 && right <= innerWidth + 1 && (element.contains(hit) || element.closest('label')?.contains(hit));
      return isSeen ? [] : [element.outerHTML.slice(0, 120)];
    })`);
}

/** Returns the rows that overlap the next row. */
export async function overlapping(page: Page): Promise<string[]> {
  return page.evaluate<
    string[]
  >(`[...document.querySelectorAll('#main :is(ul, ol, tbody)')].flatMap((list) => {
    const rows = [...list.children].filter((row) => row.checkVisibility());
    const boxes = rows.map((row) => [row, ...row.querySelectorAll('*')].flatMap((one) => [...one.getClientRects()])
      .filter(({ width, height }) => width > 1 && height > 1));
    const edges = boxes.map((some) => ({
      top: Math.min(...some.map(({ top }) => top)), bottom: Math.max(...some.map(({ bottom }) => bottom)),
      left: Math.min(...some.map(({ left }) => left)), right: Math.max(...some.map(({ right }) => right)),
    }));
    return edges.slice(1).flatMap((edge, at) => {
      const before = edges[at];
      const isOver = edge.top < before.bottom - 1 && before.top < edge.bottom - 1 && edge.left < before.right - 1 && before.left < edge.right - 1;
      return isOver ? [rows[at].textContent.slice(0, 60)] : [];
    });
  })`);
}

/** Returns the buttons whose text has too little contrast on hover. */
export async function faintWhenHovered(page: Page): Promise<string[]> {
  const faint: string[] = [];
  for (const button of await page.locator('#console button:enabled:visible').all()) {
    await button.hover();
    const ratio = await page.evaluate<number>(`(() => {
      const button = document.querySelector('button:hover');
      const context = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d');
      const around = [];
      for (let at = button; at; at = at.parentElement) around.unshift(getComputedStyle(at).backgroundColor);
      const drawn = (colours) => {
        for (const colour of colours) Object.assign(context, { fillStyle: colour }).fillRect(0, 0, 1, 1);
        const [r, g, b] = [...context.getImageData(0, 0, 1, 1).data].map((one) => one / 255)
          .map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const behind = drawn(['#fff', ...around]);
      const words = drawn(['#fff', ...around, getComputedStyle(button).color]);
      return (Math.max(behind, words) + 0.05) / (Math.min(behind, words) + 0.05);
    })()`);
    if (ratio < MIN_CONTRAST) faint.push(`${ratio.toFixed(2)} ${(await button.textContent()) ?? ''}`);
  }
  return faint;
}
