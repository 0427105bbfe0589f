import { ParlanceError } from '@parlance/client';
import type { Contact } from '@parlance/client';
import { Button } from '../parts/button.tsx';
import { TextField } from '../parts/fields.tsx';
import { Form, FormProblem, useFields } from '../parts/form.tsx';
import { toMergePatch } from '../parts/written-json.ts';
import { formatHref } from '../route.ts';
import { client } from '../session.ts';
import { TEXTS } from '../texts.ts';
import { useAction } from '../use-action.ts';
import { words } from './texts.ts';

const PROFILE = ['name', 'givenName', 'familyName', 'email', 'telephone', 'locale'] as const;
const ADDRESS = ['street', 'postalCode', 'city', 'country'];
const AUTOCOMPLETE = 'off';

interface Props {
  contact: Contact;
  saved: (contact: Contact) => void;
  cancel: () => void;
}

/** Changes only the edited values, and keeps concurrent changes of the others. */
export function ProfileForm({ contact, saved, cancel }: Props) {
  const { profile } = contact;
  const lines = [...new Set([...ADDRESS, ...Object.keys(profile.address ?? {})])];
  const before = readValues(contact, lines);
  const { values, bind } = useFields<Record<string, string>>(before);
  const action = useAction();
  const save = () =>
    action.run(async () => {
      const patch = toMergePatch(buildChange(before, values));
      saved(await client.call('PATCH /contacts/{id}', { path: { id: contact.id }, ...patch }));
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
      {PROFILE.map((name) => field(`profile.${name}`, name))}
      <fieldset class="address">
        <legend>{words.address}</legend>
        {lines.map((name) => field(`profile.address.${name}`, name))}
      </fieldset>
      <TextField
        label={words.fields['externalId'] ?? ''}
        hint={words.externalIdHint}
        {...bind('externalId')}
      />
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

function readValues({ profile, externalId }: Contact, lines: readonly string[]): Record<string, string> {
  return Object.fromEntries([
    ...PROFILE.map((name) => [`profile.${name}`, profile[name] ?? '']),
    ...lines.map((name) => [`profile.address.${name}`, profile.address?.[name] ?? '']),
    ['externalId', externalId ?? ''],
  ]) as Record<string, string>;
}

/** Returns the changed values by their paths. An emptied one is null. */
function buildChange(before: Record<string, string>, values: Record<string, string>): object {
  const body: Record<string, unknown> = {};
  for (const [path, value] of Object.entries(values)) {
    if (value === before[path]) continue;
    // Names of an address may have dots.
    const [first = '', second, ...rest] = path.split('.');
    const keys =
      second === undefined ? [first] : rest.length > 0 ? [first, second, rest.join('.')] : [first, second];
    let place = body;
    for (const key of keys.slice(0, -1)) place = (place[key] ??= {}) as Record<string, unknown>;
    place[keys.at(-1) ?? ''] = value.trim() === '' ? null : value.trim();
  }
  return body;
}
