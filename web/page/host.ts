/**
 * The website that has this page in its widget, if one has (spec 13.1). Only websites that the
 * organization lists can frame the page at all, so whoever is the parent may be told.
 */
export interface Host {
  /** Whether the reader has the widget open; always, outside a widget. */
  isOpen: () => boolean;
  isWidget: boolean;
  /** Calls back with the widget's state, whenever it may have changed. */
  watch: (changed: (state: WidgetState) => void) => void;
  /** What the website keeps for this page, once it has said so; never, outside a widget. */
  known: Promise<object>;
  tell: (what: HostMessage) => void;
}

export interface WidgetState {
  open: boolean;
  /** The reader's focus comes with it. */
  focus: boolean;
  /** The key of the conversation, as the website knows it. */
  slug?: string;
  page?: object;
}

export type HostMessage =
  | { unread: number }
  /** The slug that is the conversation's key from now on. */
  | { begun: string }
  /** What the website is to keep for this page, by name. */
  | { page: object }
  | { close: true }
  /** There is no such conversation any more. */
  | { gone: true };

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
