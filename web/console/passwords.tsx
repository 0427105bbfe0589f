import { ParlanceError } from '@parlance/client';
import { useState } from 'preact/hooks';
import { PasswordField, TextField } from './parts/fields.tsx';
import { ActionForm, Form, FormProblem, useFields } from './parts/form.tsx';
import { client, signIn } from './session.ts';
import { Alone, Brand } from './sign-in-frame.tsx';
import { KIND_WORDS } from './records/texts.ts';
import { TEXTS } from './texts.ts';
import { useAction } from './use-action.ts';

/** Sets a password by a link, and signs in (spec 3.9). */
export function ChoosePassword({ token }: { token: string }) {
  const { values, bind } = useFields({ password: '' });
  const submit = async () => {
    const { password } = values;
    const { email } = await client.call('PUT /auth/password', { body: { token, password } });
    await signIn({ email, password }).catch((error: unknown) => {
      // The form to sign in requests the one-time password.
      if (!(error instanceof ParlanceError)) throw error;
    });
    // Leaves the data of another session behind.
    history.replaceState(null, '', '#');
    location.reload();
  };
  return (
    <Alone title={TEXTS.choosePassword.title}>
      <ActionForm label={TEXTS.choosePassword.title} word={TEXTS.choosePassword.save} submit={submit}>
        <Brand />
        <h1>{TEXTS.choosePassword.title}</h1>
        <PasswordField isNew label={TEXTS.password} hint={KIND_WORDS.passwordHint} {...bind('password')} />
      </ActionForm>
    </Alone>
  );
}

export interface ForgottenProps {
  /** As entered in the form for signing in. */
  email: string;
  back: () => void;
}

/** Requests a link for another password by mail (spec 3.10). */
export function ForgottenPassword({ email, back }: ForgottenProps) {
  const words = TEXTS.forgottenPassword;
  const { values, bind } = useFields({ email });
  const [sentTo, setSentTo] = useState<string>();
  const action = useAction();
  const submit = () =>
    action.run(async () => {
      await client.call('POST /auth/password-reset', { body: values });
      setSentTo(values.email);
    });
  return (
    <Form label={words.title} error={action.error} submit={submit}>
      <h1>{words.title}</h1>
      <p>{words.what}</p>
      <TextField label={TEXTS.email} type="email" autocomplete="username" required {...bind('email')} />
      <FormProblem />
      {sentTo === values.email ? <p role="status">{words.sent(sentTo)}</p> : null}
      <button type="submit" class="main" disabled={action.isRunning}>
        {words.send}
      </button>
      <button type="button" class="quiet" onClick={back}>
        {words.back}
      </button>
    </Form>
  );
}
