import { useState } from 'preact/hooks';
import { Confirm } from '../parts/dialog.tsx';
import { api } from '../request.ts';
import { TEXTS } from '../texts.ts';

/** Lets somebody who lost their one-time passwords log in without (spec 3.8). */
export function UserOtpReset({ user }: { user: string }) {
  const [isOpen, setOpen] = useState(false);
  const [isDone, setDone] = useState(false);
  return (
    <section>
      <h2>{TEXTS.team.otp}</h2>
      <button type="button" onClick={() => setOpen(true)}>
        {TEXTS.team.removeOtp}
      </button>
      {isDone ? <p role="status">{TEXTS.team.otpRemoved}</p> : null}
      {isOpen ? (
        <Confirm
          title={TEXTS.team.removeOtp}
          word={TEXTS.team.removeOtp}
          act={() => api('DELETE', `/users/${user}/otp`).then(() => setDone(true))}
          close={() => setOpen(false)}
        >
          <p>{TEXTS.team.removeOtpWhat}</p>
        </Confirm>
      ) : null}
    </section>
  );
}
