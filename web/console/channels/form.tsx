import type { Service } from '@parlance/client';
import { nameTouchpoint } from '../inbox/texts.ts';
import { SelectField, TextField } from '../parts/fields.tsx';
import { ActionForm, useFields } from '../parts/form.tsx';
import type { BindField } from '../parts/form.tsx';
import type { Session } from '../session.ts';
import { channels as CHANNEL_WORDS } from './texts.ts';
import { TEXTS } from '../texts.ts';
import { buildParams, isUnreachable, listShown, nameType, readValues } from './types.ts';
import type { ChannelField } from './fields.ts';
import type { ChannelType } from './types.ts';

interface Props {
  type: ChannelType;
  session: Session;
  /** The channel that the form changes. */
  channel?: Service;
  word: string;
  save: (body: { name: string; params: Service['params'] }) => Promise<void>;
}

type Values = Record<string, string>;

/** Adds or changes a channel. A secret of a channel that exists stays unless one is entered. */
export function ChannelForm({ type, session, channel, word, save }: Props) {
  const { values, bind } = useFields<Values>(() => initialValues(type, channel));
  const words = CHANNEL_WORDS;
  const submit = () => {
    const { name = '', ...params } = values;
    return save({ name: name.trim() || buildName(type, values), params: buildParams(type, params) });
  };
  const shown = listShown(type, values);
  const fields = shown.map((field) => (
    <ChannelInput
      key={field.name}
      {...{ type, field, session }}
      isKept={channel?.secrets?.includes(type.toParam(field.name, values)) === true}
      bound={bind(field.name, `params.${type.toParam(field.name, values)}`)}
    />
  ));
  const isAdvanced = (at: number) => shown[at]?.isOptional === true;
  return (
    <ActionForm word={word} runningWord={words.adding} submit={submit}>
      {type.isCalledBack && isUnreachable(session.publicUrl) ? (
        <p class="warning">{words.loopback(session.publicUrl)}</p>
      ) : null}
      {fields.filter((_, at) => !isAdvanced(at))}
      <TextField label={TEXTS.name} hint={words.nameHint} {...bind('name')} />
      {fields.some((_, at) => isAdvanced(at)) ? (
        <details>
          <summary>{words.advanced}</summary>
          {fields.filter((_, at) => isAdvanced(at))}
        </details>
      ) : null}
    </ActionForm>
  );
}

interface InputProps {
  type: ChannelType;
  field: ChannelField;
  session: Session;
  isKept: boolean;
  bound: ReturnType<BindField<Values>>;
}

const SIGNATURE_ROWS = 3;

function ChannelInput({ type, field, session, isKept, bound }: InputProps) {
  const words = CHANNEL_WORDS;
  const { label = field.name, hint = '' } = words.fields[type.type]?.[field.name] ?? {};
  if (field.type === 'touchpoint') {
    const options = session.touchpoints.map((value) => ({ value, text: nameTouchpoint(value) }));
    return <SelectField label={label} options={options} {...bound} />;
  }
  if (field.type === 'choice') {
    const options = Object.entries(words.logins).map(([value, text]) => ({ value, text }));
    return <SelectField label={label} hint={hint || undefined} options={options} {...bound} />;
  }
  return (
    <TextField
      label={label}
      hint={isKept ? words.keptHint : hint || undefined}
      type={field.type === 'lines' ? 'text' : (field.type ?? 'text')}
      rows={field.type === 'lines' ? SIGNATURE_ROWS : undefined}
      required={!isKept && !field.isOptional}
      // Browsers would offer the user's own password.
      autocomplete={field.type === 'password' ? 'new-password' : 'off'}
      {...bound}
    />
  );
}

function initialValues(type: ChannelType, channel: Service | undefined): Values {
  if (channel) return { ...readValues(type, channel), name: channel.name };
  const fields = type.fields.map(({ name, initial }) => [name, initial?.() ?? '']);
  return { name: '', ...Object.fromEntries(fields) } as Values;
}

function buildName({ type, touchpoint }: ChannelType, values: Values): string {
  const code = touchpoint ?? values['touchpoint'] ?? '';
  return [nameTouchpoint(code), values['sender'] ?? values['address'] ?? nameType(type)].join(' · ').trim();
}
