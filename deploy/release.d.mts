interface Addresses {
  repository?: { type: string; url: string; directory?: string };
  homepage?: string;
  bugs?: string;
}
interface Manifest extends Addresses {
  name: string;
  dependencies?: Record<string, string>;
}
interface Given {
  version: string | undefined;
  current: string;
  changes: string;
  tags: readonly string[];
  foreign?: readonly string[];
  root: Addresses;
}
export function released(changelog: string, version: string, today?: Date): string;
export function notesOf(changelog: string): string;
export function published(
  manifest: Manifest,
  release: { version: string; folder: string; root: Addresses },
): Manifest;
interface Registry {
  registry: string;
  findUser: () => string | undefined;
}
export function foreignNames(names: readonly string[], registry: Registry): Promise<string[]>;
export function obstacle(given: Given): string | undefined;
