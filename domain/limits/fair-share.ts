/** Ids of organizations from the root down, then optionally a user or purpose. */
export type TenantPath = readonly string[];

export class TenantUsage {
  readonly #counts = new Map<string, number>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  of(node: string): number {
    return this.#counts.get(node) ?? 0;
  }

  atEnd(path: TenantPath): number {
    return this.of(path.at(-1) ?? '');
  }

  add(path: TenantPath, change: 1 | -1): void {
    this.#total += change;
    for (const node of path) {
      const count = this.of(node) + change;
      if (count === 0) this.#counts.delete(node);
      else this.#counts.set(node, count);
    }
  }
}

/**
 * Returns whether one more unit fits. At every level a branch may use as much as all branches leave
 * free: a single tenant gets half of `max`, and a new tenant still finds room.
 */
export function hasFairShare(path: TenantPath, usage: TenantUsage, max: number): boolean {
  return path.every((node, level) => {
    const parent = path[level - 1];
    return usage.of(node) < max - (parent === undefined ? 0 : usage.of(parent));
  });
}

interface Branch<T> {
  items: T[];
  /** In the order of their turns. */
  branches: Map<string, Branch<T>>;
}

/** Own work of an organization takes turns with the organizations below it. */
const OWN = '';

/**
 * Queue in which the branches of every node take turns, so that a busy tenant does not delay
 * others. Items of one path keep their order.
 */
export class FairQueue<T extends { path: TenantPath }> {
  readonly waiting = new TenantUsage();
  readonly #root: Branch<T> = { items: [], branches: new Map() };

  add(item: T): void {
    let branch = this.#root;
    for (const node of [...item.path, OWN]) {
      const next = branch.branches.get(node) ?? { items: [], branches: new Map<string, Branch<T>>() };
      branch.branches.set(node, next);
      branch = next;
    }
    branch.items.push(item);
    this.waiting.add(item.path, 1);
  }

  next(mayStart: (item: T) => boolean): T | undefined {
    const item = takeNext(this.#root, mayStart);
    if (item) this.waiting.add(item.path, -1);
    return item;
  }

  remove(item: T): boolean {
    const isRemoved = removeItem(this.#root, [...item.path, OWN], item);
    if (isRemoved) this.waiting.add(item.path, -1);
    return isRemoved;
  }
}

function takeNext<T>({ items, branches }: Branch<T>, mayStart: (item: T) => boolean): T | undefined {
  const [first] = items;
  if (first !== undefined && mayStart(first)) return items.shift();
  for (const [node, branch] of branches) {
    const item = takeNext(branch, mayStart);
    if (item === undefined) continue;
    // Move the branch to the end of the turns.
    branches.delete(node);
    if (!isEmpty(branch)) branches.set(node, branch);
    return item;
  }
  return undefined;
}

function removeItem<T>({ items, branches }: Branch<T>, [node, ...below]: TenantPath, item: T): boolean {
  if (node === undefined) {
    const at = items.indexOf(item);
    if (at >= 0) items.splice(at, 1);
    return at >= 0;
  }
  const branch = branches.get(node);
  if (!branch || !removeItem(branch, below, item)) return false;
  if (isEmpty(branch)) branches.delete(node);
  return true;
}

function isEmpty({ items, branches }: Branch<unknown>): boolean {
  return items.length === 0 && branches.size === 0;
}
