import type { StoredKey } from '../widget/key.ts';

/**
 * Website that frames this page (spec 13.1). It is trusted, because only websites that the
 * organization lists can frame the page.
 */
export interface Host {
  /** Always true outside a widget. */
  isOpen: () => boolean;
  isWidget: boolean;
  watch: (changed: (state: WidgetState) => void) => void;
  /** Values that the website stores. Never resolves outside a widget. */
  known: Promise<object>;
  tell: (what: HostMessage) => void;
}

interface WidgetState extends StoredKey {
  open: boolean;
  /** Whether the widget moves the focus into the page. */
  focus: boolean;
}

export interface HostMessage {
  unread?: number;
  /** New slug of the conversation. */
  begun?: string;
  /** Values to store, by name. */
  page?: Record<string, unknown>;
  close?: true;
  gone?: true;
}

const HANDSHAKE = 'parlance';

export function findHost(): Host {
  const isWidget = window.parent !== window && location.hash === '#widget';
  const watchers: Parameters<Host['watch']>[0][] = [];
  const untold: HostMessage[] = [];
  let port: MessagePort | undefined;
  let isOpen = !isWidget;
  let last: WidgetState | undefined;
  const known = new Promise<object>((resolve) => watchers.push(({ page = {} }) => resolve(page)));
  if (isWidget) {
    addEventListener('message', ({ source, data, ports }: MessageEvent) => {
      if (source !== window.parent || data !== HANDSHAKE || !ports[0]) return;
      port = ports[0];
      port.onmessage = ({ data: state }: MessageEvent<WidgetState>) => {
        isOpen = state.open;
        last = state;
        for (const changed of watchers) changed(state);
      };
      for (const told of untold.splice(0)) port.postMessage(told);
    });
  }
  return {
    isOpen: () => isOpen,
    isWidget,
    known,
    watch(changed) {
      watchers.push(changed);
      if (last) changed(last);
    },
    tell(what) {
      if (port) port.postMessage(what);
      else if (isWidget) untold.push(what);
    },
  };
}
