interface Manifest {
  name: string;
  dependencies?: Record<string, string>;
}
interface Given {
  version: string | undefined;
  current: string;
  changes: string;
  tags: readonly string[];
}
export function released(changelog: string, version: string, today?: Date): string;
export function notesOf(changelog: string): string;
export function pinned(manifest: Manifest, version: string): Manifest;
export function obstacle(given: Given): string | undefined;
