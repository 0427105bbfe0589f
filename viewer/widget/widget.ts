import { keep, keptOf } from './key.ts';
import type { Kept, Visitor } from './key.ts';
import { build } from './parts.ts';
import type { Look } from './parts.ts';

/** What a website may do with the widget, as `window.Parlance` (docs/widget.md). */
interface Global {
  open: () => void;
  close: () => void;
  /** Another visitor from now on: the conversation that was shown is left. */
  identify: (visitor: Visitor) => void;
  /** Forgets the conversation in this browser, as when a visitor signs out. */
  forget: () => void;
}

/** What the page in the frame tells (viewer/page/host.ts). */
interface Told {
  unread?: number;
  begun?: string;
  page?: object;
  close?: true;
  gone?: true;
}

const POLL_MS = 30_000;
const RETRY_MS = 3_000;
const HELD_MS = 2_000;
const OPEN = 'parlance:open';

const script = document.currentScript as HTMLScriptElement;
const { organization = '', email, telephone, name, signature, language = '' } = script.dataset;
/** Where the product is: the folder of this very file. */
const BASE = new URL('.', script.src);
const ASKED = `?language=${language}`;

let visitor: Visitor = { email, telephone, name, signature };
let parts: ReturnType<typeof build> | undefined;
let frame: HTMLIFrameElement | undefined;
let port: MessagePort | undefined;
let isOpen = false;
let unread = 0;

/**
 * Asks something about this conversation or organization. Null: there is no such thing; undefined:
 * nobody knows now.
 */
async function ask<T>(path: string, body?: object): Promise<T | null | undefined> {
  const response = await fetch(`${BASE.href}c/${path}`, {
    ...(body && {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    }),
  }).catch(console.warn);
  if (response?.status === 404) return null;
  return response?.ok ? ((await response.json()) as T) : undefined;
}

/** What is kept of this visitor's conversation, after a part was written or all forgotten. */
function kept(part?: Kept | null): Kept {
  return keptOf(`parlance:${organization}`, visitor, part);
}

/** The key of this visitor's conversation: theirs or, where they have none any more, a new one. */
async function keyOrNew(): Promise<string | undefined> {
  const known = kept().slug;
  const found = known && (await ask(`${known}/unread`));
  // A key is given up only where there is nothing behind it any more.
  if (known && found !== null) return found && known;
  kept(null);
  const started = await ask<{ slug: string }>(`${organization}/start`, visitor);
  return started ? kept(started).slug : undefined;
}

/**
 * The same, and of tabs that ask at the same time all get the same. What one tab stores another one
 * may see a moment later only; of locks, which have the key in their name, they all see the same.
 */
async function sharedKey(): Promise<string | undefined> {
  // Only where the page came by TLS.
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

function hear(told: Told): void {
  if (told.unread !== undefined) unread = told.unread;
  if (told.begun) kept({ slug: told.begun });
  if (told.page) kept({ page: { ...kept().page, ...told.page } });
  if (told.gone) kept(null);
  if (told.close) close();
  draw();
}

function tell(focus: boolean): void {
  port?.postMessage({ open: isOpen, focus, ...kept() });
}

function open(focus = true): void {
  if (isOpen || !parts) return;
  isOpen = true;
  keep('sessionStorage', OPEN, true);
  draw();
  if (!frame) {
    frame = parts.frame();
    void load(frame, focus);
  }
  if (focus) frame.focus();
  tell(focus);
}

/** Loads the page of the conversation, as soon as the server says which. */
async function load(own: HTMLIFrameElement, focus: boolean): Promise<void> {
  const key = await sharedKey();
  // The visitor is another one by now.
  if (own !== frame) return;
  if (!key) {
    setTimeout(() => void load(own, focus), RETRY_MS);
    return;
  }
  own.onload = () => {
    const channel = new MessageChannel();
    port = channel.port1;
    port.onmessage = ({ data }: MessageEvent<Told>) => hear(data);
    own.contentWindow?.postMessage('parlance', BASE.origin, [channel.port2]);
    tell(focus);
  };
  own.src = `${BASE.href}c/${key}${ASKED}#widget`;
  if (focus && isOpen) own.focus();
}

function close(): void {
  if (!isOpen || !parts) return;
  isOpen = false;
  keep('sessionStorage', OPEN, false);
  tell(false);
  const hadFocus = parts.hasFocus();
  draw();
  if (hadFocus) parts.focus();
}

/** Closes it, and the next opening begins anew. */
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

/** As long as there is no page of the conversation that knows better. */
async function poll(): Promise<void> {
  const key = kept().slug;
  if (!key || frame || document.hidden) return;
  const found = await ask<{ unread: number }>(`${key}/unread`);
  if (found) hear(found);
}

async function begin(): Promise<void> {
  const look = await ask<Look>(organization + '/look' + ASKED);
  if (!look) {
    console.warn('Parlance: no widget for this website');
    return;
  }
  parts = build(look, () => (isOpen ? close() : open()));
  draw();
  void poll();
  setInterval(() => void poll(), POLL_MS);
  // Another tab has said the first thing in this conversation.
  addEventListener('storage', () => tell(false));
  if (keep('sessionStorage', OPEN)) open(false);
}

/** When the website has nothing else to do. */
function later(): void {
  const { requestIdleCallback: idle = setTimeout } = window as Partial<Window>;
  idle(() => void begin());
}

const website = window as unknown as { Parlance?: Global };
if (!website.Parlance) {
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
