export type { Lock } from './lock.ts';
export { tryLock } from './lock.ts';
export type { ProcessNote } from './process-note.ts';
export { processIdentity, readProcessNote, writeProcessNote } from './process-note.ts';
