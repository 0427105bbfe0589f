import type { Page } from 'playwright-core';

/** Small enough that the smoothing of letters does not count. */
const SCALE = 0.25;
const COLUMNS = 4;
/** Differences of a colour, of 255, that a person does not see. */
const TOLERANCE = 24;
const MAX_PERCENT = 0.5;

const LOAD = `const load = async (source) => {
  const image = new Image();
  image.src = 'data:image/png;base64,' + source;
  await image.decode();
  return image;
};
const draw = (width, height) => {
  const context = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d');
  context.imageSmoothingQuality = 'high';
  return context;
};`;

/** Returns a PNG with the pictures, which have the same size, reduced and side by side. */
export async function makeSheet(page: Page, pictures: Buffer[]): Promise<Buffer> {
  const sources = JSON.stringify(pictures.map((one) => one.toString('base64')));
  const url = await page.evaluate<string>(`(async () => {
    ${LOAD}
    const images = await Promise.all(${sources}.map(load));
    const [width, height] = [images[0].width * ${SCALE}, images[0].height * ${SCALE}].map(Math.round);
    const sheet = draw(width * ${COLUMNS}, height * Math.ceil(images.length / ${COLUMNS}));
    images.forEach((image, at) =>
      sheet.drawImage(image, (at % ${COLUMNS}) * width, Math.floor(at / ${COLUMNS}) * height, width, height));
    return sheet.canvas.toDataURL('image/png');
  })()`);
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
}

interface Compared {
  before: Buffer;
  after: Buffer;
  /** Number of pictures on each sheet. */
  count: number;
}

/**
 * Returns the places of the pictures that differ in more than `MAX_PERCENT` of their pixels.
 * Returns every picture if the sheets have different sizes.
 */
export async function findChanged(
  page: Page,
  { before, after, count }: Compared,
): Promise<{ at: number; percent: number }[]> {
  const percents = await page.evaluate<number[]>(`(async () => {
    ${LOAD}
    const images = await Promise.all(${JSON.stringify([before, after].map((one) => one.toString('base64')))}.map(load));
    const [{ width, height }, other] = images;
    if (width !== other.width || height !== other.height) return Array(${count}).fill(100);
    const [a, b] = images.map((image) => {
      const context = draw(width, height);
      context.drawImage(image, 0, 0);
      return context.getImageData(0, 0, width, height).data;
    });
    const [across, down] = [width / ${COLUMNS}, height / Math.ceil(${count} / ${COLUMNS})];
    const changed = Array(${count}).fill(0);
    for (let pixel = 0; pixel < width * height; pixel += 1) {
      const at = Math.floor(pixel / width / down) * ${COLUMNS} + Math.floor((pixel % width) / across);
      if ([0, 1, 2].some((part) => Math.abs(a[pixel * 4 + part] - b[pixel * 4 + part]) > ${TOLERANCE})) changed[at] += 1;
    }
    return changed.map((pixels) => (pixels / (across * down)) * 100);
  })()`);
  return percents.map((percent, at) => ({ at, percent })).filter(({ percent }) => percent > MAX_PERCENT);
}
