import css from './widget.css';

/** What the server says of the button. */
export interface Look {
  title: string;
  language: string;
  palette: { mine: string; onMine: string };
  texts: { open: string; close: string; unread: string };
}

const SPEECH = 'M4 3h16q2 0 2 2v11q0 2-2 2h-9l-5 4v-4H4q-2 0-2-2V5q0-2 2-2z';
const DOWN = 'M12 16.4 4.6 9l1.4-1.4 6 6 6-6L19.4 9z';
const SVG = 'http://www.w3.org/2000/svg';

/**
 * The widget's own elements, in a shadow root that the website's styles do not reach. Styles are a
 * constructed sheet, and markup is made node by node: strict policies allow both.
 */
export function build({ title, language, palette, texts }: Look, press: () => void) {
  const host = document.createElement('parlance-widget');
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  root.adoptedStyleSheets = [sheet];
  host.lang = language;
  host.style.setProperty('--mine', palette.mine);
  host.style.setProperty('--on-mine', palette.onMine);
  const panel = document.createElement('div');
  set(panel, { role: 'dialog', 'aria-label': title });
  const { button, drawButton } = buildButton(texts);
  button.onclick = press;
  root.append(panel, button);
  // A website that changes its body on navigation leaves it where it is.
  document.documentElement.append(host);
  return {
    draw(isOpen: boolean, unread: number) {
      drawButton(isOpen, unread);
      panel.hidden = !isOpen;
      host.toggleAttribute('open', isOpen);
    },
    focus: () => button.focus(),
    /** Whether the button or what is in the panel has it. */
    hasFocus: () => root.activeElement !== null,
    frame() {
      const frame = document.createElement('iframe');
      set(frame, { title, allow: 'geolocation; autoplay' });
      panel.replaceChildren(frame);
      return frame;
    },
  };
}

function buildButton(texts: Look['texts']) {
  const button = document.createElement('button');
  const badge = document.createElement('span');
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

function set(element: Element, attributes: Record<string, string>): void {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
}
