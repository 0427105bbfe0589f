import type { Locator } from 'playwright-core';

/**
 * Returns the share of pixels of an element, from 0 to 1, that have a contrast (WCAG 2) of at least
 * 3 with the most common colour of the element.
 */
export async function shareThatStandsOut(place: Locator): Promise<number> {
  const png = (await place.screenshot()).toString('base64');
  return place.page().evaluate<number>(`(async () => {
    const image = new Image();
    image.src = 'data:image/png;base64,${png}';
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
    canvas.drawImage(image, 0, 0);
    const { data } = canvas.getImageData(0, 0, image.width, image.height);
    const counts = new Map();
    for (let at = 0; at < data.length; at += 4) {
      const colour = [...data.slice(at, at + 3)].join();
      counts.set(colour, (counts.get(colour) ?? 0) + 1);
    }
    const luminance = (colour) => {
      const [red, green, blue] = colour.split(',').map((part) => {
        const value = part / 255;
        return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const contrast = (one, other) => {
      const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
      return (high + 0.05) / (low + 0.05);
    };
    const [[behind]] = [...counts].sort((a, b) => b[1] - a[1]);
    const out = [...counts].filter(([colour]) => contrast(colour, behind) >= 3);
    return out.reduce((sum, [, count]) => sum + count, 0) / (data.length / 4);
  })()`);
}
