import css from './widget.css';

export interface WidgetAppearance {
  title: string;
  language: string;
  palette: { mine: string; onMine: string };
  texts: {
    open: string;
    close: string;
    unread: string;
    connecting: string;
    unreachable: string;
    again: string;
  };
}

interface WidgetHandlers {
  toggle: () => void;
  close: () => void;
  again: () => void;
}

export type Cover = 'connecting' | 'unreachable' | undefined;

const SPEECH = 'M4 3h16q2 0 2 2v11q0 2-2 2h-9l-5 4v-4H4q-2 0-2-2V5q0-2 2-2z';
const DOWN = 'M12 16.4 4.6 9l1.4-1.4 6 6 6-6L19.4 9z';
const SVG = 'http://www.w3.org/2000/svg';

/** Uses constructed style sheets and nodes, which content security policies of websites allow. */
export function buildWidget(
  { title, language, palette, texts }: WidgetAppearance,
  { toggle, close, again }: WidgetHandlers,
) {
  const host = document.createElement('parlance-widget');
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  root.adoptedStyleSheets = [sheet];
  host.lang = language;
  host.style.setProperty('--mine', palette.mine);
  host.style.setProperty('--on-mine', palette.onMine);
  const panel = element('div', { role: 'dialog', 'aria-label': title });
  const { button, drawButton } = buildButton(texts);
  const cover = buildCover({ title, texts, close, again });
  button.onclick = toggle;
  root.append(panel, button);
  root.addEventListener('keydown', (event) => {
    if ((event as KeyboardEvent).key === 'Escape') close();
  });
  // Websites that replace their body on navigation keep other children of the root element.
  document.documentElement.append(host);
  return {
    draw(isOpen: boolean, unread: number) {
      drawButton(isOpen, unread);
      panel.hidden = !isOpen;
      host.toggleAttribute('open', isOpen);
    },
    focus: () => button.focus(),
    /** Before the chat page has loaded, its frame would not get the keys. */
    focusPanel: () => (cover.element.isConnected ? cover.element : panel.querySelector('iframe'))?.focus(),
    hasFocus: () => root.activeElement !== null,
    cover(state: Cover) {
      const hadFocus = cover.element.contains(root.activeElement);
      if (state) cover.draw(state);
      if (!state) {
        cover.element.remove();
        if (hadFocus) panel.querySelector('iframe')?.focus();
      } else if (!cover.element.isConnected) panel.append(cover.element);
    },
    frame() {
      const frame = element('iframe', { title, allow: 'geolocation; autoplay' });
      panel.replaceChildren(frame);
      return frame;
    },
  };
}

function buildCover({
  title,
  texts,
  close,
  again,
}: Pick<WidgetAppearance, 'title' | 'texts'> & Omit<WidgetHandlers, 'toggle'>) {
  const cover = element('section', { tabindex: '-1' });
  const header = element('header');
  const name = element('b');
  const words = element('p', { role: 'status' });
  const leave = element('button', { type: 'button', 'aria-label': texts.close });
  const retry = element('button', { type: 'button' });
  name.textContent = title;
  leave.textContent = '×';
  leave.onclick = close;
  retry.textContent = texts.again;
  retry.onclick = again;
  header.append(name, leave);
  cover.append(header, words, retry);
  function draw(state: 'connecting' | 'unreachable'): void {
    words.textContent = texts[state];
    retry.hidden = state === 'connecting';
  }
  return { element: cover, draw };
}

function buildButton(texts: WidgetAppearance['texts']) {
  const button = element('button');
  const badge = element('span');
  const sign = document.createElementNS(SVG, 'svg');
  const path = document.createElementNS(SVG, 'path');
  set(sign, { viewBox: '0 0 24 24' });
  sign.append(path);
  button.append(sign, badge);
  function drawButton(isOpen: boolean, unread: number): void {
    const count = unread ? `, ${texts.unread.replace('{count}', String(unread))}` : '';
    set(path, { d: isOpen ? DOWN : SPEECH });
    set(button, {
      'aria-expanded': String(isOpen),
      'aria-label': isOpen ? texts.close : texts.open + count,
    });
    badge.hidden = isOpen || !unread;
    badge.textContent = unread > 99 ? '99+' : String(unread);
  }
  return { button, drawButton };
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Record<string, string> = {},
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  set(made, attributes);
  return made;
}

function set(element: Element, attributes: Record<string, string>): void {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
}
