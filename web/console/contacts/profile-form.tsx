import { ParlanceError } from '@parlance/client';
import type { Contact } from '@parlance/client';
import { useRef, useState } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import { TextField } from '../parts/fields.tsx';
import { Form, FormProblem, useFields } from '../parts/form.tsx';
import { refuseField } from '../parts/refusals.ts';
import { toMergePatch } from '../parts/written-json.ts';
import { formatHref } from '../route.ts';
import { client } from '../session.ts';
import { TEXTS } from '../texts.ts';
import { useAction } from '../use-action.ts';
import { words } from './texts.ts';

type Profile = Contact['profile'];
type Values = Record<string, string>;

const PROFILE = ['name', 'givenName', 'familyName', 'email', 'telephone', 'locale'] as const;
const ADDRESS = ['street', 'postalCode', 'city', 'country'];
const AUTOCOMPLETE = 'off';

export type EditedContact = Pick<Contact, 'profile' | 'externalId'>;

interface Props {
  contact: EditedContact & Pick<Contact, 'id'>;
  /** Whether the form has `externalId`, which agents cannot change (spec 4.12). */
  hasNumber: boolean;
  saved: (edited: EditedContact) => void;
  cancel: () => void;
}

/** Changes only the edited values, and keeps concurrent changes of the others. */
export function ProfileForm({ contact, hasNumber, saved, cancel }: Props) {
  const lines = [...new Set([...ADDRESS, ...Object.keys(contact.profile.address ?? {})])];
  const [before] = useState(() => readValues(contact.profile, lines));
  const seen = useRef(before);
  const { values, bind } = useFields<Values>({ ...before, externalId: contact.externalId ?? '' });
  const action = useAction();
  const save = () =>
    action.run(async () => {
      const { externalId = '', ...edited } = values;
      if (externalId !== (contact.externalId ?? '')) await saveExternalId(contact.id, externalId);
      const profile = await saveProfile(contact.id, { edited, lines, before, seen });
      saved({ profile, ...(externalId.trim() === '' ? {} : { externalId: externalId.trim() }) });
    });
  const field = (path: string, name: string) => (
    <TextField
      key={path}
      label={words.fields[name] ?? name}
      hint={name === 'locale' ? words.localeHint : undefined}
      autocomplete={AUTOCOMPLETE}
      {...bind(path)}
    />
  );
  const other = action.error instanceof ParlanceError ? action.error.conflict?.id : undefined;
  return (
    <Form label={words.profile} error={action.error} submit={save}>
      {PROFILE.map((name) => field(name, name))}
      <fieldset class="address">
        <legend>{words.address}</legend>
        {lines.map((name) => field(`address.${name}`, name))}
      </fieldset>
      {hasNumber ? (
        <TextField
          label={words.fields['externalId'] ?? ''}
          hint={words.externalIdHint}
          {...bind('externalId')}
        />
      ) : null}
      <FormProblem />
      {other === undefined ? null : (
        <p>
          <a href={formatHref('contacts', other)}>{words.otherHasIt}</a>
        </p>
      )}
      <div class="commands">
        <button type="submit" class="main" disabled={action.isRunning}>
          {TEXTS.save}
        </button>
        <Button word={TEXTS.cancel} press={cancel} />
      </div>
    </Form>
  );
}

function readValues(profile: Profile, lines: readonly string[]): Values {
  return Object.fromEntries([
    ...PROFILE.map((name) => [name, profile[name] ?? '']),
    ...lines.map((name) => [`address.${name}`, profile.address?.[name] ?? '']),
  ]) as Values;
}

async function saveExternalId(id: string, externalId: string): Promise<void> {
  const body = { externalId: externalId.trim() || null };
  await client.call('PATCH /contacts/{id}', { path: { id }, body });
}

interface ProfileEdit {
  edited: Values;
  lines: readonly string[];
  /** Values that the form began with. */
  before: Values;
  /** Stored values that the form has shown. */
  seen: { current: Values };
}

const MAX_TRIES = 5;

/** Refuses a field that another user has changed since, once: saving again replaces their value. */
async function saveProfile(id: string, { edited, lines, before, seen }: ProfileEdit): Promise<Profile> {
  const path = { id };
  for (let tries = 1; ; tries++) {
    const { body: now, headers } = await client.callWithResponse('GET /contacts/{id}/profile', { path });
    const stored = readValues(now, lines);
    const changed = Object.keys(edited).filter((name) => edited[name] !== before[name]);
    const stale = changed.find((name) => stored[name] !== seen.current[name]);
    seen.current = stored;
    if (stale !== undefined) throw refuseField(stale, words.changedMeanwhile(stored[stale] ?? ''));
    if (changed.length === 0) return now;
    const tag = headers.get('etag');
    try {
      return await client.call('PATCH /contacts/{id}/profile', {
        path,
        ...withTag(toMergePatch(buildChange(edited, changed)), tag),
      });
    } catch (error) {
      const isChanged = error instanceof ParlanceError && error.code === 'precondition_failed';
      if (!isChanged || tries === MAX_TRIES) throw error;
    }
  }
}

function withTag<P extends { headers?: Record<string, string> }>(patch: P, tag: string | null): P {
  return tag === null ? patch : { ...patch, headers: { ...patch.headers, 'if-match': tag } };
}

/** Returns the changed values. An emptied one is null. */
function buildChange(edited: Values, changed: readonly string[]): object {
  const pairs = changed.map((path) => [path, edited[path]?.trim() || null] as const);
  const own = pairs.filter(([path]) => !path.startsWith('address.'));
  // Names of an address may have dots.
  const lines = pairs.flatMap(([path, value]) =>
    path.startsWith('address.') ? [[path.slice('address.'.length), value]] : [],
  );
  const address = lines.length === 0 ? {} : { address: Object.fromEntries(lines) as object };
  return { ...(Object.fromEntries(own) as object), ...address };
}
