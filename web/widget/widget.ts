import type { HostMessage } from '../page/host.ts';
import { accessStorage, updateStoredKey } from './key.ts';
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
const HELD_MS = 2_000;
const OPEN = 'parlance:open';
const NONE = 'no widget for this website';

const settings = findSettings();
const { organization, language, base } = settings ?? ({ organization: '', language: '' } as Settings);
const ASKED = `?language=${language}`;

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
  else
    warn(`${base.href} ${response ? `answers ${response.status}` : 'cannot be reached'}; it is tried again`);
  return undefined;
}

function kept(part?: StoredKey | null): StoredKey {
  return updateStoredKey(`parlance:${organization}`, visitor, part);
}

async function keyOrNew(): Promise<string | undefined> {
  const known = kept().slug;
  const found = known && (await ask(`${known}/unread`));
  // Drop a key only if its conversation no longer exists.
  if (known && found !== null) return found && known;
  kept(null);
  const { email, telephone, name, signature } = visitor;
  const started = await ask<{ slug: string }>(`${organization}/start`, { email, telephone, name, signature });
  if (started === null) warn(NONE);
  return started ? kept(started).slug : undefined;
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
    const other = held?.find(({ name }) => name?.startsWith(prefix) && name !== prefix)?.name;
    const key = other?.slice(prefix.length) ?? (await keyOrNew());
    const hold = () => new Promise((done) => setTimeout(done, HELD_MS));
    if (key) void locks.request(prefix + key, { mode: 'shared' }, hold);
    return key;
  });
}

function draw(): void {
  parts?.draw(isOpen, unread);
}

function hear(told: HostMessage): void {
  if (told.unread !== undefined) unread = told.unread;
  if (told.begun) kept({ slug: told.begun });
  if (told.page) kept({ page: told.page });
  if (told.gone) kept(null);
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
  if (focus) frame?.focus();
  tell(focus);
}

function begin(focus: boolean): void {
  if (!parts) return;
  port = undefined;
  frame = parts.frame();
  cover('connecting');
  void load(frame, focus);
}

/** Retries until there is a key or the frame is replaced. */
async function load(own: HTMLIFrameElement, focus: boolean, failures = 0): Promise<void> {
  const key = await sharedKey();
  if (own !== frame) return;
  if (!key) {
    cover('unreachable');
    setTimeout(() => void load(own, focus, failures + 1), retryMs(failures));
    return;
  }
  own.onload = () => {
    const channel = new MessageChannel();
    port = channel.port1;
    port.onmessage = ({ data }: MessageEvent<HostMessage>) => {
      cover(undefined);
      hear(data);
    };
    own.contentWindow?.postMessage('parlance', base.origin, [channel.port2]);
    tell(focus);
  };
  own.src = `${base.href}c/${key}${ASKED}#widget`;
  if (focus && isOpen) own.focus();
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
  else void poll();
}

async function poll(): Promise<void> {
  const key = kept().slug;
  if (!key || frame || document.hidden) return;
  const found = await ask<{ unread: number }>(`${key}/unread`);
  if (found) hear(found);
}

/** Shows the widget once its appearance is loaded. Retries until then, but stops on 404. */
async function start(failures = 0): Promise<void> {
  const look = await ask<WidgetAppearance>(organization + '/look' + ASKED);
  if (look === null) warn(NONE);
  if (look === undefined) setTimeout(() => void start(failures + 1), retryMs(failures));
  if (!look) return;
  parts = buildWidget(look, { toggle: () => (isOpen ? close() : open()), close, again: () => begin(true) });
  draw();
  void poll();
  setInterval(() => void poll(), POLL_MS);
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
      kept(null);
      identify({});
    },
  };
  if (document.readyState === 'complete') later();
  else addEventListener('load', later);
}
