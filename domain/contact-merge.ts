import { mergeNotes } from './contact-notes.ts';
import type { ContactNote } from './contact-notes.ts';
import { MAX_LABELS } from './conversations/labels.ts';
import { identityKeys, mergeIdentities } from './channels/identity.ts';
import type { Identity } from './channels/identity.ts';
import type { Identifiers } from './contact-match.ts';

type FreeForm = Record<string, unknown>;

export interface MergedContact {
  externalId?: string | undefined;
  profile: object;
  identities?: readonly Identity[] | undefined;
  blocked?: boolean | undefined;
  labels?: readonly string[] | undefined;
  notes?: readonly ContactNote[] | undefined;
  settings?: FreeForm | undefined;
  meta?: FreeForm | undefined;
}

/** A value of the merged contact that the surviving contact has not got. */
export interface NotKept {
  path: string;
  value: unknown;
}

export interface ContactMerge {
  /** Whole fields that change. */
  changes: Partial<MergedContact> & { identityKeys?: string[] };
  notKept: NotKept[];
}

/**
 * Fills the empty fields of the surviving contact. Where both contacts have a value, the value of
 * the survivor stays (spec 4.7), but the block of either contact stays. An address counts as one
 * value. Repeatable: values that the survivor has already got change nothing.
 */
export function mergeContact(survivor: MergedContact, other: MergedContact): ContactMerge {
  const profile = fill(survivor.profile as FreeForm, other.profile as FreeForm, 'profile');
  const settings = fill(survivor.settings, other.settings, 'settings');
  const meta = fill(survivor.meta, other.meta, 'meta');
  const labels = joinLabels(survivor.labels, other.labels);
  const notes = joinNotes(survivor.notes, other.notes);
  const own = fill(pickExternalId(survivor), pickExternalId(other));
  return {
    changes: {
      ...own.filled,
      ...(profile.filled && { profile: profile.filled }),
      ...(settings.filled && { settings: settings.filled }),
      ...(meta.filled && { meta: meta.filled }),
      ...changedIdentities(survivor.identities, other.identities),
      ...(other.blocked && !survivor.blocked ? { blocked: true } : {}),
      ...labels.changes,
      ...notes.changes,
    },
    notKept: [own, profile, settings, meta, labels, notes].flatMap(({ notKept }) => notKept),
  };
}

/** The survivor gets all addresses of the merged contact on channels (spec 15.1). */
function changedIdentities(
  kept: readonly Identity[] = [],
  given: readonly Identity[] = [],
): ContactMerge['changes'] {
  const identities = mergeIdentities(kept, given);
  return identities === kept ? {} : { identities, identityKeys: identityKeys(identities) };
}

type Joined = Pick<ContactMerge, 'changes' | 'notKept'>;

function joinLabels(kept: readonly string[] = [], given: readonly string[] = []): Joined {
  const added = given.filter((label) => !kept.includes(label));
  const left = added.splice(Math.max(0, MAX_LABELS - kept.length));
  return {
    changes: added.length > 0 ? { labels: [...kept, ...added] } : {},
    notKept: left.map((value) => ({ path: 'labels', value })),
  };
}

function joinNotes(kept: readonly ContactNote[] = [], given: readonly ContactNote[] = []): Joined {
  const { notes, left } = mergeNotes(kept, given);
  return {
    changes: notes.length > kept.length ? { notes } : {},
    notKept: left.map(({ text }) => ({ path: 'notes', value: text })),
  };
}

function pickExternalId({ externalId }: Pick<MergedContact, 'externalId'>): FreeForm {
  return externalId === undefined ? {} : { externalId };
}

function fill(
  kept: FreeForm = {},
  given: FreeForm = {},
  path = '',
): { filled: FreeForm | undefined; notKept: NotKept[] } {
  const values = Object.entries(given).filter(([, value]) => value !== undefined && value !== null);
  const isEmpty = (key: string) => !Object.hasOwn(kept, key) || kept[key] === undefined || kept[key] === null;
  const added = values.filter(([key]) => isEmpty(key));
  const notKept = values
    .filter(([key, value]) => !isEmpty(key) && !isEqual(kept[key], value))
    .map(([key, value]) => ({ path: path === '' ? key : `${path}.${key}`, value }));
  return { filled: added.length > 0 ? { ...kept, ...Object.fromEntries(added) } : undefined, notKept };
}

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

const PATHS = {
  externalId: 'externalId',
  telephone: 'profile.telephone',
  email: 'profile.email',
} as const;

/** Takes identifiers that a third contact has got out of a merge. */
export function withoutTaken({ changes, notKept }: ContactMerge, taken: Identifiers): ContactMerge {
  const { externalId, profile, ...others } = changes;
  const lost = (['externalId', 'telephone', 'email'] as const).filter((key) => taken[key] !== undefined);
  const left = Object.entries(profile ?? {}).filter(([key]) => !lost.some((one) => one === key));
  return {
    changes: {
      ...others,
      ...(externalId === undefined || lost.includes('externalId') ? {} : { externalId }),
      ...(profile && { profile: Object.fromEntries(left) }),
    },
    notKept: [...notKept, ...lost.map((key) => ({ path: PATHS[key], value: taken[key] }))],
  };
}
