import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { FIRST_PASSWORD, LOGO, signIn } from './session.ts';
import { TextField } from './parts/fields.tsx';
import { Form, FormProblem } from './parts/form.tsx';
import { ApiError } from './parts/refusals.ts';
import type { Session } from './session.ts';
import { TEXTS } from './texts.ts';
import { useAction } from './use-action.ts';

interface Props {
  entered: (session: Session) => void;
  /** The form covers the screen of a session that ended. */
  again?: boolean;
}

export function SignIn({ entered, again = false }: Props) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [otp, setOtp] = useState('');
  const action = useAction();
  const asksOtp = isOtpAsked(action.error) || otp !== '';
  const error = asksOtp && otp === '' ? undefined : action.error;
  const enter = () => {
    const credentials = { email, password, ...(otp === '' ? {} : { otp: otp.trim() }) };
    return action.run(async () => entered(await signIn(credentials)));
  };
  const Around = again ? Over : Alone;
  return (
    <Around>
      <Form label={TEXTS.signIn} error={error} submit={enter}>
        {again ? null : <Brand />}
        <h1>{again ? TEXTS.sessionEnded : TEXTS.signIn}</h1>
        {again ? <p>{TEXTS.nothingLost}</p> : null}
        <TextField
          label={TEXTS.email}
          path="email"
          type="email"
          autocomplete="username"
          required
          value={email}
          set={setEmail}
        />
        <TextField
          label={TEXTS.password}
          path="password"
          type="password"
          autocomplete="current-password"
          required
          value={password}
          set={setPassword}
        />
        {asksOtp ? <OtpField value={otp} set={setOtp} /> : null}
        <SignInProblem error={error} />
        <SubmitButton isRunning={action.isRunning} />
        {again ? null : <Help />}
      </Form>
    </Around>
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

function Help() {
  if (!FIRST_PASSWORD) return <p class="hint">{TEXTS.forgotten}</p>;
  return (
    <p class="hint">
      {TEXTS.firstSignIn} <code>{FIRST_PASSWORD.email}</code>, {TEXTS.newcomer.passwordIn}{' '}
      <code>{FIRST_PASSWORD.file}</code>.
    </p>
  );
}

function Alone({ children }: { children: ComponentChildren }) {
  useEffect(() => {
    document.title = `${TEXTS.signIn} · ${TEXTS.product}`;
  }, []);
  return <main class="sign-in">{children}</main>;
}

/** Stays open until the user signs in. */
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

function SubmitButton({ isRunning }: { isRunning: boolean }) {
  return (
    <button type="submit" class="main" disabled={isRunning}>
      {TEXTS.signIn}
    </button>
  );
}

function OtpField({ value, set }: { value: string; set: (value: string) => void }) {
  return (
    <TextField
      label={TEXTS.otp}
      path="otp"
      autocomplete="one-time-code"
      hint={TEXTS.otpHint}
      value={value}
      set={set}
    />
  );
}

function SignInProblem({ error }: { error: Error | undefined }) {
  const isWrong = error instanceof ApiError && error.status === 401;
  return isWrong ? (
    <p class="problem" role="alert">
      {error.message}
    </p>
  ) : (
    <FormProblem />
  );
}

function isOtpAsked(error: Error | undefined): boolean {
  return error instanceof ApiError && error.code === 'otp_required';
}
