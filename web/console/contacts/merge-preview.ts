import type { Contact } from '@parlance/client';
import { mergeContact } from '../../../domain/contact-merge.ts';
import { labels as LABELS, nameTouchpoint } from '../inbox/texts.ts';
import { formatValue, listValues } from './contact.ts';
import { words } from './texts.ts';

export interface MergedField {
  path: string;
  label: string;
  /** Value of the surviving contact after the merge. */
  stays: string;
  isAdded: boolean;
  /** Value of the other contact that the merge removes. */
  lost: string | undefined;
}

/** The fields after a merge by the rules of the API (spec 4.7). */
export function previewMerge(survivor: Contact, gone: Contact): MergedField[] {
  const { changes, notKept } = mergeContact(survivor, gone);
  const before = new Map(listFields(survivor));
  const after = new Map(listFields({ ...survivor, ...changes } as Contact));
  const lost = new Map<string, string>();
  for (const { path, value } of notKept) {
    const others = lost.get(path);
    lost.set(path, [...(others === undefined ? [] : [others]), describe(value)].join(', '));
  }
  return [...after].map(([path, stays]) => ({
    path,
    label: nameField(path),
    stays,
    isAdded: before.get(path) !== stays,
    lost: lost.get(path),
  }));
}

function listFields({ externalId, profile, ...others }: Contact): [string, string][] {
  const { identities = [], labels = [], notes = [], meta, settings } = others;
  const below = (name: string, values: object) =>
    Object.entries(values).map(([key, value]) => [`${name}.${key}`, describe(value)] as const);
  const reached = identities.map(({ touchpoint, id }) => `${nameTouchpoint(touchpoint)} ${id}`).join(', ');
  const all = [
    ...below('profile', profile),
    ['externalId', externalId ?? ''] as const,
    ['identities', reached] as const,
    ['labels', labels.join(', ')] as const,
    ['notes', notes.map(({ text }) => text).join(' · ')] as const,
    ...below('meta', meta),
    ...below('settings', settings),
  ];
  return all.filter(([, value]) => value !== '').map(([path, value]) => [path, value]);
}

function describe(value: unknown): string {
  if (typeof value !== 'object' || value === null) return formatValue(value);
  return listValues(value)
    .map((one) => (Array.isArray(value) ? one.value : `${words.fields[one.name] ?? one.name}: ${one.value}`))
    .join(', ');
}

function nameField(path: string): string {
  if (path === 'identities') return words.identities;
  if (path === 'labels') return LABELS.title;
  if (path === 'notes') return words.notes;
  const name = path.slice(path.indexOf('.') + 1);
  return words.fields[name] ?? name;
}
