import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { JSX } from 'preact';
import { Button } from './parts/button.tsx';
import { InboxScreen } from './inbox/screen.tsx';
import { lazy } from './lazy.tsx';
import { NewcomerHint } from './newcomer.tsx';
import { Loading, Problem } from './parts/notices.tsx';
import { formatHref, useRoutePath, goTo } from './route.ts';
import type { ScreenProps } from './route.ts';
import { currentSession, onUnauthorized, signOut } from './session.ts';
import type { Session } from './session.ts';
import { SignIn } from './sign-in.tsx';
import { announceSignIn } from './use-action.ts';
import { TEXTS } from './texts.ts';
import { useEvery } from './use-query.ts';
import { Dialog } from './parts/dialog.tsx';

interface ShellProps {
  known: Session | null;
  setSession: (session: Session | null) => void;
  isOnline: boolean;
}

interface Screen {
  title: string;
  /** See spec 12.3. */
  scopes: readonly Session['scope'][];
  show: (props: ScreenProps) => JSX.Element;
}

const WebhooksScreen = lazy(() => import('./webhooks/screen.tsx'), 'WebhooksScreen');
const EventsScreen = lazy(() => import('./events/screen.tsx'), 'EventsScreen');
const TeamScreen = lazy(() => import('./team/screen.tsx'), 'TeamScreen');
const RecordsScreen = lazy(() => import('./records/screen.tsx'), 'RecordsScreen');
const OperationsScreen = lazy(() => import('./operations/screen.tsx'), 'OperationsScreen');
const AccountScreen = lazy(() => import('./account/screen.tsx'), 'AccountScreen');

const SCREENS: Readonly<Record<string, Screen>> = {
  inbox: { title: TEXTS.screens.inbox, scopes: ['agent', 'bot', 'admin'], show: InboxScreen },
  webhooks: { title: TEXTS.screens.webhooks, scopes: ['admin'], show: WebhooksScreen },
  events: { title: TEXTS.screens.events, scopes: ['admin'], show: EventsScreen },
  team: { title: TEXTS.screens.team, scopes: ['admin'], show: TeamScreen },
  settings: { title: TEXTS.screens.settings, scopes: ['admin'], show: RecordsScreen },
  operations: { title: TEXTS.screens.operations, scopes: ['admin'], show: OperationsScreen },
  account: { title: TEXTS.screens.account, scopes: ['guest', 'agent', 'bot', 'admin'], show: AccountScreen },
};

const CHECK_MS = 60_000;

export function App() {
  const [session, setSession] = useState<Session | null>();
  const [problem, setProblem] = useState<Error>();
  const look = () => {
    currentSession().then(
      (found) => {
        setProblem(undefined);
        setSession((before) => (JSON.stringify(before) === JSON.stringify(found) ? before : found));
      },
      // Keep the session while the server is unreachable.
      (error: unknown) => setProblem(error as Error),
    );
  };
  useEffect(() => {
    look();
    onUnauthorized(look);
  }, []);
  useEvery(CHECK_MS, look);
  const isOnline = useOnline();
  if (session === undefined) return problem ? <Problem error={problem} again={look} /> : <Loading />;
  return <Shell known={session} setSession={setSession} isOnline={isOnline && !problem} />;
}

/** After a session ends, its screen stays behind the sign-in form and keeps unsent text. */
function Shell({ known, setSession, isOnline }: ShellProps) {
  const [last, setLast] = useState<Session | null>(known);
  useEffect(() => {
    if (known) setLast(known);
  }, [known]);
  const leave = async () => {
    await signOut();
    location.hash = '';
    location.reload();
  };
  const entered = (session: Session) => {
    // Discard all data of the previous user.
    if (last && session.user !== last.user) location.reload();
    else {
      setSession(session);
      announceSignIn();
    }
  };
  if (!last) return <SignIn entered={entered} />;
  return (
    <>
      <Rooms session={last} leave={() => void leave()} isOnline={isOnline} />
      {known ? null : <SignIn entered={entered} again />}
    </>
  );
}

function Rooms({ session, leave, isOnline }: { session: Session; leave: () => void; isOnline: boolean }) {
  const [name = '', ...place] = useRoutePath();
  const main = useRef<HTMLElement>(null);
  const open = Object.entries(SCREENS).filter(([, { scopes }]) => scopes.includes(session.scope));
  const [current, screen] = open.find(([one]) => one === name) ?? open[0] ?? [];
  useEffect(() => {
    document.title = screen ? `${screen.title} · Parlance` : 'Parlance';
  }, [screen]);
  const skip = (event: Event) => {
    event.preventDefault();
    main.current?.focus();
  };
  return (
    <div class="shell">
      <a class="skip" href="#main" onClick={skip}>
        {TEXTS.skip}
      </a>
      <header class="bar">
        <strong class="brand">{session.organization.name}</strong>
        <nav aria-label={TEXTS.navigation}>
          {open.map(([one, { title }]) => (
            <a key={one} href={formatHref(one)} aria-current={one === current ? 'page' : undefined}>
              {title}
            </a>
          ))}
        </nav>
        <Button word={TEXTS.signOut} class="quiet" press={leave} />
      </header>
      {isOnline ? null : (
        <p class="offline" role="status">
          {TEXTS.offline}
        </p>
      )}
      <NewcomerHint session={session} leave={leave} />
      <main id="main" tabIndex={-1} ref={main}>
        {screen ? (
          <screen.show session={session} place={place} />
        ) : (
          <p class="empty">{TEXTS.nothingForYou}</p>
        )}
      </main>
      <Shortcuts screens={open} />
    </div>
  );
}

function useOnline(): boolean {
  const [isOnline, setOnline] = useState(navigator.onLine);
  // `useEffect` runs later and could miss an event.
  useLayoutEffect(() => {
    const changed = () => setOnline(navigator.onLine);
    addEventListener('online', changed);
    addEventListener('offline', changed);
    return () => {
      removeEventListener('online', changed);
      removeEventListener('offline', changed);
    };
  }, []);
  return isOnline;
}

function Shortcuts({ screens }: { screens: readonly (readonly [string, Screen])[] }) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (isWriting(event) || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === '?') setOpen(true);
      const [name] = screens[Number(event.key) - 1] ?? [];
      if (name !== undefined) goTo(name);
      if (event.key === '/' && focusOn('input[type=search]')) event.preventDefault();
      if (event.key === 'r' && focusOn('.reply textarea')) event.preventDefault();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [screens]);
  if (!isOpen) return null;
  const keys = [
    ...screens.map(([, { title }], at) => [String(at + 1), title] as const),
    ['/', TEXTS.search],
    ['r', TEXTS.reply],
    ['Ctrl+Enter', TEXTS.send],
    ['Esc', TEXTS.close],
    ['?', TEXTS.shortcuts],
  ];
  return (
    <Dialog title={TEXTS.shortcuts} close={() => setOpen(false)}>
      <dl class="keys">
        {keys.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

function isWriting({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.closest('input, textarea, select, dialog') !== null;
}

function focusOn(selector: string): boolean {
  const found = document.querySelector<HTMLElement>(selector);
  found?.focus();
  return found !== null;
}
