import { ParlanceError } from '@parlance/client';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { lazy } from './lazy.tsx';
import { FIRST_PASSWORD, SENDS_MAIL, signIn } from './session.ts';
import { PasswordField, TextField } from './parts/fields.tsx';
import { Form, FormProblem, useFields } from './parts/form.tsx';
import { translateError } from './parts/refusals.ts';
import type { ForgottenProps } from './passwords.tsx';
import type { Session } from './session.ts';
import { Alone, Brand } from './sign-in-frame.tsx';
import { TEXTS } from './texts.ts';
import { useAction } from './use-action.ts';

const ForgottenPassword = lazy<'ForgottenPassword', ForgottenProps>(
  () => import('./passwords.tsx'),
  'ForgottenPassword',
);

interface Props {
  entered: (session: Session) => Promise<void>;
  /** The form covers the screen of a session that ended. */
  again?: boolean;
}

export function SignIn({ entered, again = false }: Props) {
  const { values, bind } = useFields({ email: '', password: '', otp: '' });
  const action = useAction();
  const [isForgotten, setForgotten] = useState(false);
  const { otp } = values;
  const isOtpMissing = action.error instanceof ParlanceError && action.error.code === 'otp_required';
  const asksOtp = isOtpMissing || otp !== '';
  const error = asksOtp && otp === '' ? undefined : action.error;
  const credentials = { ...values, otp: otp === '' ? undefined : otp.trim() };
  const enter = () => action.run(async () => entered(await signIn(credentials)));
  const Around = again ? Over : Alone;
  if (isForgotten) {
    return (
      <Around>
        <ForgottenPassword email={values.email} back={() => setForgotten(false)} />
      </Around>
    );
  }
  return (
    <Around>
      <Form label={TEXTS.signIn} error={error} submit={enter}>
        {again ? null : <Brand />}
        <h1>{again ? TEXTS.sessionEnded : TEXTS.signIn}</h1>
        {again ? <p>{TEXTS.nothingLost}</p> : null}
        <TextField label={TEXTS.email} type="email" autocomplete="username" required {...bind('email')} />
        <PasswordField label={TEXTS.password} {...bind('password')} />
        {asksOtp ? (
          <TextField label={TEXTS.otp} autocomplete="one-time-code" hint={TEXTS.otpHint} {...bind('otp')} />
        ) : null}
        {error instanceof ParlanceError && error.status === 401 ? (
          <p class="problem" role="alert">
            {translateError(error)}
          </p>
        ) : (
          <FormProblem />
        )}
        <button type="submit" class="main" disabled={action.isRunning}>
          {TEXTS.signIn}
        </button>
        {SENDS_MAIL ? (
          <button type="button" class="quiet" onClick={() => setForgotten(true)}>
            {TEXTS.forgottenPassword.ask}
          </button>
        ) : null}
        {again ? null : <Help />}
      </Form>
    </Around>
  );
}

function Help() {
  if (!FIRST_PASSWORD) return SENDS_MAIL ? null : <p class="hint">{TEXTS.forgotten}</p>;
  return (
    <p class="hint">
      {TEXTS.firstSignIn} <code>{FIRST_PASSWORD.email}</code>, {TEXTS.newcomer.passwordIn}{' '}
      <code>{FIRST_PASSWORD.file}</code>.
    </p>
  );
}

/** A dialog that stays open until the user signs in. */
function Over({ children }: { children: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const open = () => {
    const { current } = dialog;
    if (current?.isConnected && !current.open) current.showModal();
  };
  useEffect(() => {
    const before = document.activeElement;
    open();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class="again"
      aria-label={TEXTS.sessionEnded}
      onCancel={(event) => event.preventDefault()}
      onClose={open}
    >
      {children}
    </dialog>
  );
}
