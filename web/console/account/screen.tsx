import type { AnswerTo } from '@parlance/client';
import { useState } from 'preact/hooks';
import { isAlertOn, setAlert } from '../../page/alerts.ts';
import type { Alert } from '../../page/alerts.ts';
import { LANGUAGE_NAMES, readChosenLanguage } from '../../../domain/languages.ts';
import { changeLanguage } from '../load-language.ts';
import { PasswordField, SelectField, TextField } from '../parts/fields.tsx';
import { ActionForm, useFields } from '../parts/form.tsx';
import { Pending, Problem } from '../parts/notices.tsx';
import { Copyable } from '../parts/tabs.tsx';
import { toMergePatch } from '../parts/written-json.ts';
import { client } from '../session.ts';
import { hasKeys, setKeys } from '../storage.ts';
import { TEAM_WORDS } from '../team/texts.ts';
import { ACCOUNT_WORDS } from './texts.ts';
import { KIND_WORDS } from '../records/texts.ts';
import { TEXTS } from '../texts.ts';
import { useAction } from '../use-action.ts';
import { useQuery } from '../use-query.ts';

const STATUSES = ['online', 'away', 'offline'] as const;

export function AccountScreen() {
  const query = useQuery('GET /users/me');
  const action = useAction();
  const { value: me, replace } = query;
  if (!me) return <Pending query={query} />;
  const setStatus = (given: string) => {
    const status = STATUSES.find((one) => one === given);
    if (status)
      void action.run(async () => replace(await client.call('PATCH /users/me', { body: { status } })));
  };
  return (
    <div class="page">
      <section>
        <h1>{me.name}</h1>
        <p>
          {me.email} · {KIND_WORDS.options[me.role] ?? me.role}
        </p>
        <SelectField
          label={TEXTS.status}
          value={me.status}
          set={setStatus}
          options={STATUSES.map((value) => ({ value, text: KIND_WORDS.options[value] ?? value }))}
        />
        <Language chosen={readChosenLanguage(me.settings) ?? ''} />
        <Problem error={action.error} />
        <Alerts />
        <Keys />
        <Password />
        <Otp />
      </section>
    </div>
  );
}

/** The choice is in the settings of the user, and so on each device. */
function Language({ chosen }: { chosen: string }) {
  const action = useAction();
  const change = (language: string) =>
    void action.run(async () => {
      const patch = toMergePatch({ settings: { console: { language: language === '' ? null : language } } });
      await client.call('PATCH /users/{id}', { path: { id: 'me' }, ...patch });
      changeLanguage(language);
    });
  const names = Object.entries(LANGUAGE_NAMES).map(([value, text]) => ({ value, text }));
  return (
    <>
      <SelectField
        label={ACCOUNT_WORDS.language}
        value={chosen}
        set={change}
        options={[{ value: '', text: ACCOUNT_WORDS.ofBrowser }, ...names]}
      />
      <Problem error={action.error} />
    </>
  );
}

/** Kept by this browser. */
function Alerts() {
  const words = ACCOUNT_WORDS;
  return (
    <>
      <h2>{words.alerts}</h2>
      <AlertField alert="sound" label={words.sound} />
      <AlertField alert="notifications" label={words.notifications} />
    </>
  );
}

function AlertField({ alert, label }: { alert: Alert; label: string }) {
  const [isOn, setOn] = useState(() => isAlertOn(alert));
  const [isRefused, setRefused] = useState(false);
  const change = async (wanted: boolean) => {
    const now = await setAlert(alert, wanted);
    setOn(now);
    setRefused(wanted && !now);
  };
  return (
    <p>
      <label>
        <input
          type="checkbox"
          checked={isOn}
          onChange={({ currentTarget }) => void change(currentTarget.checked)}
        />{' '}
        {label}
      </label>
      {isRefused ? <span role="alert"> {ACCOUNT_WORDS.notAllowed}</span> : null}
    </p>
  );
}

/** Kept by this browser. */
function Keys() {
  const [isOn, setOn] = useState(hasKeys);
  const change = (wanted: boolean) => {
    setKeys(wanted);
    setOn(wanted);
  };
  return (
    <>
      <h2>{TEXTS.shortcuts}</h2>
      <p>
        <label>
          <input
            type="checkbox"
            checked={isOn}
            onChange={({ currentTarget }) => change(currentTarget.checked)}
          />{' '}
          {ACCOUNT_WORDS.keys}
        </label>
      </p>
    </>
  );
}

const NO_PASSWORDS = { currentPassword: '', password: '' };

function Password() {
  const { values, bind, setValues } = useFields(NO_PASSWORDS);
  const [isDone, setDone] = useState(false);
  const save = async () => {
    setDone(false);
    try {
      await client.call('PATCH /users/me', { body: values });
      setDone(true);
    } finally {
      setValues(NO_PASSWORDS);
    }
  };
  const words = ACCOUNT_WORDS;
  return (
    <ActionForm look="plain" word={words.change} submit={save} done={isDone ? TEXTS.saved : undefined}>
      <h2>{words.password}</h2>
      <PasswordField label={words.current} {...bind('currentPassword')} />
      <PasswordField label={words.next} isNew hint={KIND_WORDS.passwordHint} {...bind('password')} />
    </ActionForm>
  );
}

type Proposal = AnswerTo<'POST /users/me/otp'>;

/** The first one-time password proves that the user's app has the secret (spec 3.8). */
function Otp() {
  const words = ACCOUNT_WORDS;
  const [proposal, setProposal] = useState<Proposal>();
  const [done, setDone] = useState('');
  const ended = (text: string) => {
    setProposal(undefined);
    setDone(text);
  };
  return (
    <section>
      <h2>{TEAM_WORDS.otp}</h2>
      {done === '' ? null : <p role="status">{done}</p>}
      {proposal ? (
        <>
          <p>{words.otpScan}</p>
          <Copyable label={words.otpSecret} text={proposal.secret} />
          <p>
            <a href={proposal.url}>{words.otpApp}</a>
          </p>
          <OtpForm word={words.confirm} call="PUT /users/me/otp" done={() => ended(words.otpOn)} />
        </>
      ) : (
        <>
          <Request proposed={setProposal} />
          <OtpForm word={words.otpRemove} call="DELETE /users/me/otp" done={() => ended(words.otpOff)} />
        </>
      )}
    </section>
  );
}

function Request({ proposed }: { proposed: (proposal: Proposal) => void }) {
  const { values: body, bind } = useFields({ currentPassword: '' });
  return (
    <ActionForm
      look="inline"
      word={ACCOUNT_WORDS.otpBegin}
      field="currentPassword"
      submit={async () => proposed(await client.call('POST /users/me/otp', { body }))}
    >
      <PasswordField label={ACCOUNT_WORDS.current} {...bind('currentPassword')} />
    </ActionForm>
  );
}

interface OtpFormProps {
  word: string;
  call: 'PUT /users/me/otp' | 'DELETE /users/me/otp';
  done: () => void;
}

function OtpForm({ word, call, done }: OtpFormProps) {
  const { values, bind } = useFields({ otp: '' });
  const send = () => client.call(call, { body: { otp: values.otp.trim() } }).then(done);
  return (
    <ActionForm look="inline" word={word} field="otp" submit={send}>
      <TextField label={TEXTS.otp} required autocomplete="one-time-code" {...bind('otp')} />
    </ActionForm>
  );
}
