import {
  Activity,
  ChartColumn,
  CircleUser,
  ContactRound,
  Inbox,
  LogOut,
  Send,
  Settings,
  Users,
  Webhook,
  Zap,
} from 'lucide';
import type { IconNode } from 'lucide';
import { useEffect, useRef, useState } from 'preact/hooks';
import { visibleName } from '../components/shown-text.ts';
import { Avatar, findPicture } from './parts/avatar.tsx';
import { Count } from './parts/count.tsx';
import { Icon } from './parts/icon.tsx';
import { ConversationView } from './inbox/conversation-part.tsx';
import type { Counts } from './inbox/counts.tsx';
import { InboxSkeleton } from './inbox/skeleton.tsx';
import { lazy } from './lazy.tsx';
import type { Lazy } from './lazy.tsx';
import { applyLanguage, forgetLanguage, onLanguage } from './load-language.ts';
import { NewcomerHint } from './newcomer.tsx';
import { Loading, Problem } from './parts/notices.tsx';
import { formatHref, useRoutePath, goTo } from './route.ts';
import type { RoutePath, ScreenProps } from './route.ts';
import { LOGO, currentSession, isOfAnotherUser, onTrouble, signOut } from './session.ts';
import type { Session } from './session.ts';
import { SignIn } from './sign-in.tsx';
import { hasKeys } from './storage.ts';
import { announceSignIn } from './use-action.ts';
import { TEXTS } from './texts.ts';
import { createTurns } from './turns.ts';
import { useEvery, useQuery } from './use-query.ts';

interface ShellProps {
  known: Session | null;
  setSession: (session: Session | null) => void;
  isOnline: boolean;
}

interface Screen {
  icon: IconNode;
  /** See spec 12.3. */
  scopes: readonly Session['scope'][];
  show: Lazy<ScreenProps>;
}

const InboxProviders = lazy(
  () => import('./inbox/providers.tsx'),
  'InboxProviders',
  ({ waiting }) => waiting,
);
const InboxScreen = lazy(
  () => import('./inbox/screen.tsx'),
  'InboxScreen',
  ({ place }) => <InboxSkeleton isChosen={place.length > 1} />,
);
const ContactsScreen = lazy(() => import('./contacts/screen.tsx'), 'ContactsScreen');
const ChannelsScreen = lazy(() => import('./channels/screen.tsx'), 'ChannelsScreen');
const WebhooksScreen = lazy(() => import('./webhooks/screen.tsx'), 'WebhooksScreen');
const EventsScreen = lazy(() => import('./events/screen.tsx'), 'EventsScreen');
const ReportsScreen = lazy(() => import('./reports/screen.tsx'), 'ReportsScreen');
const TeamScreen = lazy(() => import('./team/screen.tsx'), 'TeamScreen');
const RecordsScreen = lazy(() => import('./records/screen.tsx'), 'RecordsScreen');
const OperationsScreen = lazy(() => import('./operations/screen.tsx'), 'OperationsScreen');
const AccountScreen = lazy(() => import('./account/screen.tsx'), 'AccountScreen');

const SCREENS: Readonly<Record<string, Screen>> = {
  inbox: { icon: Inbox, scopes: ['agent', 'bot', 'admin'], show: InboxScreen },
  contacts: {
    icon: ContactRound,
    scopes: ['agent', 'bot', 'admin'],
    show: ContactsScreen,
  },
  channels: { icon: Send, scopes: ['admin'], show: ChannelsScreen },
  webhooks: { icon: Webhook, scopes: ['admin'], show: WebhooksScreen },
  events: { icon: Zap, scopes: ['admin'], show: EventsScreen },
  reports: { icon: ChartColumn, scopes: ['bot', 'admin'], show: ReportsScreen },
  team: { icon: Users, scopes: ['admin'], show: TeamScreen },
  settings: { icon: Settings, scopes: ['admin'], show: RecordsScreen },
  operations: { icon: Activity, scopes: ['admin'], show: OperationsScreen },
  account: {
    icon: CircleUser,
    scopes: ['guest', 'agent', 'bot', 'admin'],
    show: AccountScreen,
  },
};

const ShortcutList = lazy(() => import('./shortcut-list.tsx'), 'ShortcutList', <></>);
const ChoosePassword = lazy<'ChoosePassword', { token: string }>(
  () => import('./passwords.tsx'),
  'ChoosePassword',
);

/** Not in the navigation: it is for who changes the parts of the console. */
const ComponentsScreen = lazy(() => import('./components/screen.tsx'), 'ComponentsScreen');
const HIDDEN: Readonly<Record<string, Screen>> = {
  components: { icon: Settings, scopes: [], show: ComponentsScreen },
};

function nameScreen(name: string): string {
  const titles: Partial<Record<string, string>> = TEXTS.screens;
  return titles[name] ?? name;
}

/** Begins to load the screen of the route before the session is known. */
export function beginScreen([name = '', ...place]: RoutePath): void {
  InboxProviders.begin();
  const { show } = SCREENS[name] ?? HIDDEN[name] ?? { show: InboxScreen };
  show.begin();
  if (show === InboxScreen && place.length > 1) ConversationView.begin();
}

const CHECK_MS = 60_000;
const RETRY_MS = 5_000;

export function App() {
  const [, render] = useState(0);
  useEffect(() => onLanguage(() => render((turn) => turn + 1)), []);
  const [name, token] = useRoutePath();
  return name === 'password' && token !== undefined ? <ChoosePassword token={token} /> : <SignedIn />;
}

function SignedIn() {
  const [session, setSession] = useState<Session | null>();
  const [problem, setProblem] = useState<Error>();
  const shown = useRef(session);
  shown.current = session;
  const [begin] = useState(createTurns);
  const look = () => {
    const { isLate } = begin();
    currentSession()
      .then(async (found) => {
        // A page that is in use keeps its language.
        if (found && !shown.current) await applyLanguage(found.language);
        return found;
      })
      .then(
        (found) => {
          if (isLate()) return;
          if (found && isOfAnotherUser(found)) {
            location.reload();
            return;
          }
          setProblem(undefined);
          setSession((before) => (JSON.stringify(before) === JSON.stringify(found) ? before : found));
          if (found && shown.current === null) announceSignIn();
        },
        // Keep the session while the server is unreachable.
        (error: unknown) => isLate() || setProblem(error as Error),
      );
  };
  useEffect(() => {
    look();
    onTrouble(look);
    // `navigator.onLine` says nothing about the server, which may be on this machine.
    addEventListener('online', look);
    addEventListener('offline', look);
  }, []);
  useEvery(problem ? RETRY_MS : CHECK_MS, look);
  if (session === undefined) return problem ? <Problem error={problem} again={look} /> : <Loading />;
  return <Shell known={session} setSession={setSession} isOnline={!problem} />;
}

/** After a session ends, its screen stays behind the sign-in form and keeps unsent text. */
function Shell({ known, setSession, isOnline }: ShellProps) {
  const [last, setLast] = useState<Session | null>(known);
  useEffect(() => {
    if (known) setLast(known);
  }, [known]);
  const leave = async () => {
    await signOut();
    forgetLanguage();
    location.hash = '';
    location.reload();
  };
  const entered = async (session: Session) => {
    // Discard all data of the previous user.
    if (isOfAnotherUser(session)) location.reload();
    else {
      if (!last) await applyLanguage(session.language);
      setSession(session);
      announceSignIn();
    }
  };
  if (!last) return <SignIn entered={entered} />;
  return (
    <>
      <Room session={last} leave={() => void leave()} isOnline={isOnline} />
      {known ? null : <SignIn entered={entered} again />}
    </>
  );
}

interface RoomProps {
  session: Session;
  leave: () => void;
  isOnline: boolean;
}

function Room({ session, leave, isOnline }: RoomProps) {
  const [counts, setCounts] = useState<Counts>({});
  const [name = '', ...place] = useRoutePath();
  const main = useRef<HTMLElement>(null);
  const open = Object.entries(SCREENS).filter(([, { scopes }]) => scopes.includes(session.scope));
  const [current, screen] =
    [...open, ...Object.entries(HIDDEN)].find(([one]) => one === name) ?? open[0] ?? [];
  useEffect(() => {
    const mark = counts['unread'] ? `(${counts['unread']}) ` : '';
    document.title = `${mark}${current === undefined ? '' : `${nameScreen(current)} · `}${TEXTS.product}`;
  }, [screen, counts]);
  const skip = (event: Event) => {
    event.preventDefault();
    main.current?.focus();
  };
  return (
    <div class="shell">
      <a class="skip" href="#main" onClick={skip}>
        {TEXTS.skip}
      </a>
      <header class="side">
        <Brand organization={session.organization} />
        <Navigation open={open} current={current} unread={counts['unread']} />
        <Me leave={leave} />
      </header>
      <div class="top">
        {isOnline ? null : (
          <p class="offline" role="status">
            {TEXTS.offline}
          </p>
        )}
        <NewcomerHint session={session} leave={leave} />
      </div>
      <main id="main" tabIndex={-1} ref={main}>
        {screen ? (
          <InboxProviders
            session={session}
            setCounts={setCounts}
            waiting={current === 'inbox' ? <InboxSkeleton isChosen={place.length > 1} /> : <Loading />}
          >
            <screen.show session={session} place={place} />
          </InboxProviders>
        ) : (
          <p class="empty">{TEXTS.nothingForYou}</p>
        )}
      </main>
      <Shortcuts screens={open} />
    </div>
  );
}

interface NavigationProps {
  open: readonly (readonly [string, Screen])[];
  current: string | undefined;
  unread: number | undefined;
}

function Navigation({ open, current, unread }: NavigationProps) {
  return (
    <nav aria-label={TEXTS.navigation}>
      {open.map(([one, { icon }]) => (
        <a
          key={one}
          href={formatHref(one)}
          title={nameScreen(one)}
          aria-current={one === current ? 'page' : undefined}
        >
          <Icon icon={icon} />
          <span class="word">{nameScreen(one)}</span>
          {one === 'inbox' ? <Count of={unread} /> : null}
        </a>
      ))}
    </nav>
  );
}

function Brand({ organization: { name, logo } }: Pick<Session, 'organization'>) {
  const [isBroken, setBroken] = useState(false);
  return (
    <div class="brand">
      <img src={isBroken ? LOGO : (findPicture(logo) ?? LOGO)} alt="" onError={() => setBroken(true)} />
      <span class="word">{name}</span>
    </div>
  );
}

function Me({ leave }: { leave: () => void }) {
  const { value: me } = useQuery('GET /users/me');
  return (
    <div class="who">
      {me ? (
        <>
          <Avatar name={me.name} url={me.avatar} />
          <span class="name">{visibleName(me) ?? me.email}</span>
        </>
      ) : null}
      <button type="button" class="quiet" title={TEXTS.signOut} aria-label={TEXTS.signOut} onClick={leave}>
        <Icon icon={LogOut} />
      </button>
    </div>
  );
}

/** Later screens have no key. */
const DIGITS = 9;

function Shortcuts({ screens }: { screens: readonly (readonly [string, Screen])[] }) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (!hasKeys() || isWriting(event) || event.ctrlKey || event.metaKey || event.altKey) return;
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
  return (
    <ShortcutList
      screens={screens.slice(0, DIGITS).map(([one]) => nameScreen(one))}
      close={() => setOpen(false)}
    />
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
