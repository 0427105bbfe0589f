import { useEffect, useRef } from 'preact/hooks';

const EVENT = 'parlance:signed-in';

/** Makes everything on the page load again after a session that had ended. */
export function announceSignIn(): void {
  dispatchEvent(new Event(EVENT));
}

/** Calls back when the user has signed in again. */
export function useSignedIn(call: () => void): void {
  const latest = useRef(call);
  latest.current = call;
  useEffect(() => {
    const signedIn = () => latest.current();
    addEventListener(EVENT, signedIn);
    return () => removeEventListener(EVENT, signedIn);
  }, []);
}
