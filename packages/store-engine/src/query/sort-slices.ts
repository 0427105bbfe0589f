interface Ordered {
  order: Buffer;
}

const RUN = 4096;

/** Sorts by `order`, stably, and rests every few milliseconds so that others can be served. */
export function* sortInSlices<T extends Ordered>(items: readonly T[]): Generator<undefined, T[]> {
  let runs: T[][] = [];
  for (let at = 0; at < items.length; at += RUN) {
    runs.push(items.slice(at, at + RUN).sort((left, right) => Buffer.compare(left.order, right.order)));
    if (items.length > RUN) yield undefined;
  }
  while (runs.length > 1) {
    const longer: T[][] = [];
    for (let at = 0; at < runs.length; at += 2)
      longer.push(yield* mergeRuns(runs[at] ?? [], runs[at + 1] ?? []));
    runs = longer;
  }
  return runs[0] ?? [];
}

function* mergeRuns<T extends Ordered>(left: readonly T[], right: readonly T[]): Generator<undefined, T[]> {
  const result: T[] = [];
  let [l, r] = [0, 0];
  for (;;) {
    const [one, other] = [left[l], right[r]];
    if (!one || !other) return result.concat(left.slice(l), right.slice(r));
    if (Buffer.compare(one.order, other.order) <= 0) {
      result.push(one);
      l++;
    } else {
      result.push(other);
      r++;
    }
    if (result.length % RUN === 0) yield undefined;
  }
}
