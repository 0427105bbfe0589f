export type { Lock } from './lock.ts';
export { tryLock } from './lock.ts';
export { processIdentity } from './process-identity.ts';
export type { ProcessNote } from './process-note.ts';
export { readProcessNote, writeProcessNote } from './process-note.ts';
