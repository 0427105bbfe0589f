import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { LOGO } from './session.ts';
import { TEXTS } from './texts.ts';

export function Brand() {
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

export function Alone({ title = TEXTS.signIn, children }: AloneProps) {
  useEffect(() => {
    document.title = `${title} · ${TEXTS.product}`;
  }, []);
  return <main class="sign-in">{children}</main>;
}
