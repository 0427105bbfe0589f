import type { HostMessage } from '../page/host.ts';
import { waitUntilNeeded } from '../components/live.ts';
import { accessStorage, hasUnsent, listOrphans, readStoredKey, saveUnsent, updateStoredKey } from './key.ts';
import type { StoredKey, Visitor } from './key.ts';
import { buildWidget } from './parts.ts';
import type { Cover, WidgetAppearance } from './parts.ts';
import { findSettings } from './settings.ts';
import type { Settings } from './settings.ts';

/** API for websites, as `window.Parlance` (docs/widget.md). */
interface Global {
  open: () => void;
  close: () => void;
  /** Switches to another visitor and leaves the conversation. */
  identify: (visitor: Visitor) => void;
  forget: () => void;
}

const POLL_MS = 30_000;
const RETRY_MS = 3_000;
const MAX_RETRY_MS = 60_000;
/** A page that sends no message for this long is shown as unreachable. */
const SILENT_MS = 15_000;
const ANSWER_MS = 5_000;
const HELD_MS = 2_000;
const OPEN = 'parlance:open';
const NONE = 'no widget for this website';

const settings = findSettings();
const { organization, language, base } = settings ?? ({ organization: '', language: '' } as Settings);
const store = `parlance:${organization}`;
const ASKED = `?language=${language}`;

interface Conversation {
  slug: string;
  visitor: Visitor;
}

/** Slugs of the conversations whose messages `sendOrphans` is sending. */
const couriers = new Set<string>();
/** Slugs that no other tab may share any more. */
const dropped = new Set<string>();
let visitor: Visitor = settings ?? {};
let parts: ReturnType<typeof buildWidget> | undefined;
let frame: HTMLIFrameElement | undefined;
let port: MessagePort | undefined;
let silence: ReturnType<typeof setTimeout> | undefined;
let isOpen = false;
let unread = 0;

const warn = (reason: string) => {
  if (!warned.has(reason)) console.warn(`Parlance: ${reason}`);
  warned.add(reason);
};
const warned = new Set<string>();

/** Returns null on 404, and undefined if the result is unknown. */
async function ask<T>(path: string, body?: object): Promise<T | null | undefined> {
  const response = await fetch(`${base.href}c/${path}`, {
    ...(body && {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    }),
  }).catch(() => undefined);
  if (response?.status === 404) return null;
  if (response?.ok) return (await response.json().catch(() => undefined)) as T | undefined;
  if (response?.status === 401) warn('the signature of this visitor is wrong');
  else warn(`${base.href} ${response ? `answers ${response.status}` : 'cannot be reached'}`);
  return undefined;
}

function kept(): StoredKey {
  return readStoredKey(store, visitor);
}

async function keyOrNew(): Promise<string | undefined> {
  const asking = visitor;
  const known = kept().slug;
  const found = known && (await ask(`${known}/unread`));
  // Drop a key only if its conversation no longer exists.
  if (known && found !== null) return found && known;
  const { email, telephone, name, signature } = asking;
  const started = await ask<{ slug: string }>(`${organization}/start`, { email, telephone, name, signature });
  if (started === null) warn(NONE);
  // The website may have identified another visitor meanwhile.
  if (!started || visitor !== asking) return undefined;
  updateStoredKey(store, visitor, { slug: started.slug, page: { read: null } });
  return started.slug;
}

/**
 * Tabs that start at the same time share a key. The key is in a lock's name, which all tabs see.
 */
async function sharedKey(): Promise<string | undefined> {
  // Browsers offer locks only with TLS or localhost.
  const { locks } = navigator as { locks?: LockManager };
  if (!locks) return keyOrNew();
  const prefix = `${OPEN} ${organization} ${visitor.signature} `;
  return locks.request<Promise<string | undefined>>(prefix, async () => {
    const { held } = await locks.query();
    const shared = held?.map(({ name }) => name?.split(prefix)[1]);
    const key = shared?.find((slug) => slug && !dropped.has(slug)) ?? (await keyOrNew());
    const hold = () => new Promise((done) => setTimeout(done, HELD_MS));
    if (key) void locks.request(prefix + key, { mode: 'shared' }, hold);
    return key;
  });
}

function draw(): void {
  parts?.draw(isOpen, unread);
}

function hear(told: HostMessage, from: Conversation): void {
  const { begun, page } = told;
  if (visitor !== from.visitor) {
    // Messages of a frame that was removed arrive later.
    if (page) saveUnsent(store, page, from);
    return;
  }
  if (begun) from.slug = begun;
  if (begun ?? page) updateStoredKey(store, visitor, { slug: from.slug, page: page ?? {} });
  if (told.unread !== undefined) unread = told.unread;
  if (told.gone) {
    dropped.add(from.slug);
    begin(parts?.hasFocus() ?? false);
  }
  if (told.close) close();
  draw();
}

function cover(state: Cover): void {
  clearTimeout(silence);
  parts?.cover(state);
  if (state === 'connecting') silence = setTimeout(() => cover('unreachable'), SILENT_MS);
}

function tell(focus: boolean): void {
  port?.postMessage({ open: isOpen, focus, ...kept() });
}

function open(focus = true): void {
  if (isOpen || !parts) return;
  isOpen = true;
  accessStorage('sessionStorage', OPEN, true);
  draw();
  if (!frame) begin(focus);
  if (focus) parts.focusPanel();
  tell(focus);
}

function begin(focus: boolean): void {
  if (!parts) return;
  port = undefined;
  frame = parts.frame();
  cover('connecting');
  if (focus) parts.focusPanel();
  void load(frame, focus);
}

/** Retries until the chat page has loaded or the frame is replaced. */
async function load(own: HTMLIFrameElement, focus: boolean): Promise<void> {
  for (let failures = 0; own === frame; failures += 1) {
    const slug = await sharedKey();
    // A website with Cross-Origin-Embedder-Policy can show no other frames.
    own.toggleAttribute('credentialless', crossOriginIsolated || failures > 0);
    if (slug && own === frame && (await connect(own, { slug, visitor, focus }))) return;
    if (own === frame) cover('unreachable');
    await waitUntilNeeded(retryMs(failures));
  }
}

/** Returns whether the chat page sent a message within some seconds after it loaded. */
function connect(own: HTMLIFrameElement, { focus, ...from }: Conversation & { focus: boolean }) {
  own.src = `${base.href}c/${from.slug}${ASKED}#widget`;
  return new Promise<boolean>((resolve) => {
    own.onload = () => {
      port = openPort(own, (told) => {
        if (own === frame) cover(undefined);
        resolve(true);
        hear(told, from);
      });
      tell(focus);
      setTimeout(() => resolve(false), ANSWER_MS);
    };
  });
}

function openPort(own: HTMLIFrameElement, heard: (told: HostMessage) => void): MessagePort {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }: MessageEvent<HostMessage>) => heard(data);
  own.contentWindow?.postMessage('parlance', base.origin, [port2]);
  return port1;
}

/** Sends messages of earlier anonymous visitors in hidden frames of their conversations. */
function sendOrphans(): void {
  for (const [slug, page] of Object.entries(listOrphans(store, visitor))) {
    if (couriers.has(slug)) continue;
    couriers.add(slug);
    void sendOrphan(slug, page);
  }
}

async function sendOrphan(slug: string, page: Record<string, unknown>): Promise<void> {
  const found = await ask(`${slug}/unread`);
  const courier = document.createElement('iframe');
  const end = (isDone: boolean) => {
    courier.remove();
    couriers.delete(slug);
    for (const key in page) if (isDone) accessStorage('localStorage', `${store}:${key}`, null);
  };
  if (!found) {
    end(found === null);
    return;
  }
  courier.onload = () => {
    const to = openPort(courier, (told) => {
      Object.assign(page, told.page);
      if (told.gone || !hasUnsent(page)) end(true);
    });
    to.postMessage({ open: false, focus: false, slug, page });
  };
  courier.style.display = 'none';
  courier.src = `${base.href}c/${slug}${ASKED}#widget`;
  document.documentElement.append(courier);
}

function close(): void {
  if (!isOpen || !parts) return;
  isOpen = false;
  accessStorage('sessionStorage', OPEN, false);
  tell(false);
  const hadFocus = parts.hasFocus();
  draw();
  if (hadFocus) parts.focus();
}

function leave(): void {
  close();
  frame?.remove();
  frame = port = undefined;
  unread = 0;
  draw();
}

function identify(next: Visitor): void {
  const wasOpen = isOpen;
  leave();
  visitor = next;
  if (wasOpen) open(false);
  void poll();
}

async function poll(): Promise<void> {
  if (document.hidden) return;
  sendOrphans();
  if (frame) return;
  const { slug, page } = kept();
  // The hidden chat page sends what waits.
  if (hasUnsent(page)) {
    begin(false);
    return;
  }
  const found = slug && (await ask<{ unread: number }>(`${slug}/unread`));
  // Meanwhile, the chat page may have loaded, or the visitor may have changed.
  if (!found || slug !== kept().slug || (frame as unknown)) return;
  unread = found.unread;
  draw();
}

/** Shows the widget once its appearance is loaded. Retries until then, but stops on 404. */
async function start(failures = 0): Promise<void> {
  const look = await ask<WidgetAppearance>(organization + '/look' + ASKED);
  if (look === null) warn(NONE);
  if (look === undefined) {
    await waitUntilNeeded(retryMs(failures));
    void start(failures + 1);
  }
  if (!look) return;
  parts = buildWidget(look, { toggle: () => (isOpen ? close() : open()), close, again: () => begin(true) });
  draw();
  const update = () => void poll();
  update();
  setInterval(update, POLL_MS);
  document.addEventListener('visibilitychange', update);
  addEventListener('online', update);
  // Another tab may have posted the first message.
  addEventListener('storage', () => tell(false));
  if (accessStorage('sessionStorage', OPEN)) open(false);
}

function retryMs(failures: number): number {
  return Math.min(MAX_RETRY_MS, RETRY_MS * 2 ** failures);
}

function later(): void {
  const { requestIdleCallback: idle = setTimeout } = window as Partial<Window>;
  idle(() => void start());
}

const website = window as unknown as { Parlance?: Global };
if (settings && !website.Parlance) {
  website.Parlance = {
    open: () => open(),
    close,
    identify,
    forget() {
      dropped.add(kept().slug ?? '');
      accessStorage('localStorage', store, null);
      accessStorage('sessionStorage', store, null);
      identify({});
    },
  };
  if (document.readyState === 'complete') later();
  else addEventListener('load', later);
}
