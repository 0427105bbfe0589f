import { ParlanceError } from '@parlance/client';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { FIRST_PASSWORD, LOGO, client, signIn } from './session.ts';
import { PasswordField, TextField } from './parts/fields.tsx';
import { ActionForm, Form, FormProblem, useFields } from './parts/form.tsx';
import { translateRefusal } from './parts/refusals.ts';
import type { Session } from './session.ts';
import { TEXTS } from './texts.ts';
import { useAction } from './use-action.ts';

interface Props {
  entered: (session: Session) => Promise<void>;
  /** The form covers the screen of a session that ended. */
  again?: boolean;
}

export function SignIn({ entered, again = false }: Props) {
  const { values, bind } = useFields({ email: '', password: '', otp: '' });
  const action = useAction();
  const { otp } = values;
  const isOtpMissing = action.error instanceof ParlanceError && action.error.code === 'otp_required';
  const asksOtp = isOtpMissing || otp !== '';
  const error = asksOtp && otp === '' ? undefined : action.error;
  const credentials = { ...values, otp: otp === '' ? undefined : otp.trim() };
  const enter = () => action.run(async () => entered(await signIn(credentials)));
  const Around = again ? Over : Alone;
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
            {translateRefusal(error.message)}
          </p>
        ) : (
          <FormProblem />
        )}
        <button type="submit" class="main" disabled={action.isRunning}>
          {TEXTS.signIn}
        </button>
        {again ? null : <Help />}
      </Form>
    </Around>
  );
}

function Help() {
  if (!FIRST_PASSWORD) return <p class="hint">{TEXTS.forgotten}</p>;
  return (
    <p class="hint">
      {TEXTS.firstSignIn} <code>{FIRST_PASSWORD.email}</code>, {TEXTS.newcomer.passwordIn}{' '}
      <code>{FIRST_PASSWORD.file}</code>.
    </p>
  );
}

function Brand() {
  return (
    <p class="brand">
      <img src={LOGO} alt="" width={32} height={32} />
      {TEXTS.product}
    </p>
  );
}

interface AloneProps {
  title?: string;
  children: ComponentChildren;
}

function Alone({ title = TEXTS.signIn, children }: AloneProps) {
  useEffect(() => {
    document.title = `${title} · ${TEXTS.product}`;
  }, []);
  return <main class="sign-in">{children}</main>;
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
        <PasswordField isNew label={TEXTS.password} hint={TEXTS.kinds.passwordHint} {...bind('password')} />
      </ActionForm>
    </Alone>
  );
}
