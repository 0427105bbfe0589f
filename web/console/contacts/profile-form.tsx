import { ParlanceError } from '@parlance/client';
import type { Contact } from '@parlance/client';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { changeLatest } from '../change-latest.ts';
import { Button } from '../parts/button.tsx';
import { TextField } from '../parts/fields.tsx';
import { Form, FormProblem, useFields } from '../parts/form.tsx';
import { refuseField } from '../parts/refusals.ts';
import { toMergePatch } from '../parts/written-json.ts';
import { formatHref } from '../route.ts';
import { client } from '../session.ts';
import { TEXTS } from '../texts.ts';
import { useAction } from '../use-action.ts';
import { formatProfileDraft, loadProfileDraft, saveProfileDraft } from './profile-draft.ts';
import type { ProfileValues as Values } from './profile-draft.ts';
import { words } from './texts.ts';

type Profile = Contact['profile'];

const PROFILE = ['name', 'givenName', 'familyName', 'email', 'telephone', 'locale'] as const;
const ADDRESS = ['street', 'postalCode', 'city', 'country'];
const LINE = 'address.';
const AUTOCOMPLETE = 'off';

export type EditedContact = Pick<Contact, 'profile' | 'externalId'>;

interface Props {
  contact: EditedContact & Pick<Contact, 'id'>;
  /** Id of the signed-in user, who has the draft. */
  user: string;
  /** Whether the form has `externalId`, which agents cannot change (spec 4.12). */
  hasNumber: boolean;
  saved: (edited: EditedContact) => void;
  cancel: () => void;
}

/** Changes only the edited values, and keeps concurrent changes of the others. */
export function ProfileForm({ contact, user, hasNumber, saved, cancel }: Props) {
  const { values, bind, before, lines, discard } = useEditedProfile(contact, user);
  const seen = useRef(before);
  const action = useAction();
  const save = () =>
    action.run(async () => {
      const { externalId = '', ...edited } = values;
      if (hasNumber && externalId !== before['externalId']) await saveExternalId(contact.id, externalId);
      const profile = await saveProfile(contact.id, { edited, lines, before, seen });
      discard();
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
        <Button
          word={TEXTS.cancel}
          press={() => {
            discard();
            cancel();
          }}
        />
      </div>
    </Form>
  );
}

/** Returns the values of the form, which begins with the unsaved edits of the user. */
function useEditedProfile({ id, profile, externalId = '' }: Props['contact'], user: string) {
  const [draft] = useState(() => loadProfileDraft(user, id));
  const written = Object.keys({ ...draft?.edited }).filter((path) => path.startsWith(LINE));
  const known = [...ADDRESS, ...Object.keys(profile.address ?? {})];
  const lines = [...new Set([...known, ...written.map((path) => path.slice(LINE.length))])];
  const [before] = useState((): Values => ({ ...readValues(profile, lines), externalId, ...draft?.before }));
  const { values, bind } = useFields<Values>({ ...before, ...draft?.edited });
  // A passive effect would not run if the next click opens another conversation.
  useLayoutEffect(() => saveProfileDraft(user, id, formatProfileDraft(before, values)), [values]);
  return { values, bind, before, lines, discard: () => saveProfileDraft(user, id) };
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

/** Refuses a field that another user has changed since, once: saving again replaces their value. */
function saveProfile(id: string, { edited, lines, before, seen }: ProfileEdit): Promise<Profile> {
  const path = { id };
  return changeLatest({
    read: () => client.callWithResponse('GET /contacts/{id}/profile', { path }),
    change(now) {
      const stored = readValues(now, lines);
      const changed = Object.keys(edited).filter((name) => edited[name] !== before[name]);
      const stale = changed.find((name) => stored[name] !== seen.current[name]);
      seen.current = stored;
      if (stale !== undefined) throw refuseField(stale, words.changedMeanwhile(stored[stale] ?? ''));
      return changed.length === 0 ? undefined : toMergePatch(buildChange(edited, changed));
    },
    write: ({ body, headers }, condition) =>
      client.call('PATCH /contacts/{id}/profile', { path, body, headers: { ...headers, ...condition } }),
  });
}

/** Returns the changed values. An emptied one is null. */
function buildChange(edited: Values, changed: readonly string[]): object {
  const pairs = changed.map((path) => [path, edited[path]?.trim() || null] as const);
  const own = pairs.filter(([path]) => !path.startsWith(LINE));
  // Names of an address may have dots.
  const lines = pairs.flatMap(([path, value]) =>
    path.startsWith(LINE) ? [[path.slice(LINE.length), value]] : [],
  );
  const address = lines.length === 0 ? {} : { address: Object.fromEntries(lines) as object };
  return { ...(Object.fromEntries(own) as object), ...address };
}
