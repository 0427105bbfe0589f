import { quantile } from '../load.ts';
import type { Sample } from './sampler.ts';

/** First part of the run, which is ignored because caches fill and code is compiled. */
const WARM_UP = 0.25;
/**
 * Memory is flat unless the median of the last third exceeds the median of the first third by more
 * than `part` and by more than `mb`.
 */
const FLAT = { part: 0.1, mb: 16 };
/**
 * Sizes are linear if the bytes per message of the second half are `least` to `most` times the
 * bytes of the first half, or if a straight line fits all samples with R² of at least `fit`.
 */
const LINEAR = { least: 0.67, most: 1.5, fit: 0.98 };
/** Workflow runs end after a hundred updates, which bounds the history. */
const MAX_HISTORY_EVENTS = 10_000;

export interface Finding {
  what: string;
  holds: boolean;
  words: string;
}

/**
 * Judges whether memory is flat after the warm-up, sizes grow with messages only, and the history
 * of a workflow run is bounded.
 */
export function judge(samples: readonly Sample[]): Finding[] {
  const warm = samples.slice(Math.floor(samples.length * WARM_UP));
  const processes = Object.keys(samples[0]?.memoryMb ?? {});
  return [
    ...processes.map((name) => flat(`memory of ${name}`, warm, ({ memoryMb }) => memoryMb[name] ?? null)),
    flat('heap of the API', warm, ({ apiHeapMb }) => apiHeapMb),
    linear('bytes of the store', warm, ({ storeBytes }) => storeBytes),
    linear('bytes of Temporal', warm, ({ temporalBytes }) => temporalBytes),
    bounded(samples),
  ];
}

function flat(what: string, samples: readonly Sample[], of: (sample: Sample) => number | null): Finding {
  const points = samples.flatMap((sample) => {
    const value = of(sample);
    return value === null ? [] : [{ x: sample.at / 3600, y: value }];
  });
  if (points.length < 3) return { what, holds: true, words: 'not told on this system' };
  const third = Math.max(1, Math.floor(points.length / 3));
  const [first, last] = [points.slice(0, third), points.slice(-third)].map((some) =>
    quantile(
      some.map(({ y }) => y),
      0.5,
    ),
  ) as [number, number];
  const { slope } = fitted(points);
  const words = `${first.toFixed(0)} MB in the first third, ${last.toFixed(0)} MB in the last, ${slope.toFixed(0)} MB per hour`;
  return { what, holds: last - first <= Math.max(first * FLAT.part, FLAT.mb), words };
}

function linear(what: string, samples: readonly Sample[], of: (sample: Sample) => number): Finding {
  const points = samples.map((sample) => ({ x: sample.messages, y: of(sample) }));
  const [first, middle, last] = [points[0], points[Math.floor(points.length / 2)], points.at(-1)];
  if (!first || !middle || !last || points.length < 3)
    return { what, holds: false, words: 'too few samples' };
  const [early, late] = [
    (middle.y - first.y) / (middle.x - first.x),
    (last.y - middle.y) / (last.x - middle.x),
  ];
  const { fit } = fitted(points);
  const words = `${early.toFixed(0)} bytes per message in the first half, ${late.toFixed(0)} in the second, R² ${fit.toFixed(3)}`;
  const ratio = late / early;
  return { what, holds: (ratio >= LINEAR.least && ratio <= LINEAR.most) || fit >= LINEAR.fit, words };
}

function bounded(samples: readonly Sample[]): Finding {
  const most = Math.max(...samples.map(({ historyEvents }) => historyEvents));
  return {
    what: 'history of a run',
    holds: most < MAX_HISTORY_EVENTS,
    words: `${most} events at most`,
  };
}

/** Fits a straight line by least squares. `fit` is the coefficient of determination. */
function fitted(points: readonly { x: number; y: number }[]): { slope: number; fit: number } {
  const mean = (of: (point: { x: number; y: number }) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [x, y] = [mean((point) => point.x), mean((point) => point.y)];
  const xy = mean((point) => (point.x - x) * (point.y - y));
  const xx = mean((point) => (point.x - x) ** 2);
  const yy = mean((point) => (point.y - y) ** 2);
  return { slope: xx === 0 ? 0 : xy / xx, fit: xx === 0 || yy === 0 ? 1 : xy ** 2 / (xx * yy) };
}

export function printVerdict(findings: readonly Finding[]): void {
  for (const { what, holds, words } of findings)
    console.log(`${holds ? 'holds' : 'FAILS'}  ${what}: ${words}`);
}
