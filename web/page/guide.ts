interface GuideEntry {
  url: string;
  page: string;
  heading: string;
  text: string;
}

const MAX_FOUND = 20;
const MAX_WORDS_AROUND = 80;

const found = document.querySelector('#found');
const form = document.querySelector('#search');
const field = form?.querySelector('input');
let index: Promise<GuideEntry[]> | undefined;

async function load(): Promise<GuideEntry[]> {
  return (await (await fetch('/docs/index.json')).json()) as GuideEntry[];
}

/** Every word must match. Headings weigh more than text. */
function search(entries: GuideEntry[], words: string[]): GuideEntry[] {
  const scored = entries.map((entry) => {
    const heading = `${entry.page} ${entry.heading}`.toLowerCase();
    const text = entry.text.toLowerCase();
    const scores = words.map((word) => (heading.includes(word) ? 10 : text.includes(word) ? 1 : 0));
    return { entry, score: scores.includes(0) ? 0 : scores.reduce<number>((sum, one) => sum + one, 0) };
  });
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_FOUND)
    .map(({ entry }) => entry);
}

function buildExcerpt(text: string, word: string): string {
  const at = Math.max(0, text.toLowerCase().indexOf(word) - MAX_WORDS_AROUND);
  return `${at > 0 ? '…' : ''}${text.slice(at, at + 2 * MAX_WORDS_AROUND)}…`;
}

function renderResult(entry: GuideEntry, word: string): HTMLLIElement {
  const link = document.createElement('a');
  link.href = entry.url;
  link.textContent = entry.page === entry.heading ? entry.page : `${entry.page}: ${entry.heading}`;
  const words = document.createElement('p');
  words.textContent = buildExcerpt(entry.text, word);
  const item = document.createElement('li');
  item.append(link, words);
  return item;
}

async function showResults(): Promise<void> {
  const words = (field?.value ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  index ??= load();
  const entries = words.length > 0 ? search(await index, words) : [];
  const list = document.createElement('ol');
  list.append(...entries.map((entry) => renderResult(entry, words[0] ?? '')));
  const nothing = words.length > 0 && entries.length === 0;
  found?.replaceChildren(...(nothing ? ['No guide was found.'] : entries.length > 0 ? [list] : []));
}

/** The clipboard exists on HTTPS and on localhost. */
function addCopyButton(block: HTMLPreElement): void {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(block.querySelector('code')?.textContent ?? '').then(
      () => (button.textContent = 'Copied'),
      () => (button.textContent = 'Not copied'),
    );
  });
  const frame = document.createElement('div');
  frame.className = 'code';
  block.replaceWith(frame);
  frame.append(block, button);
}

if ('clipboard' in navigator) document.querySelectorAll('pre').forEach(addCopyButton);

const LANGUAGE = 'parlance:language';

function chooseLanguage(language: string): void {
  for (const tab of document.querySelectorAll<HTMLInputElement>('.languages input'))
    tab.checked = tab.value === language;
}

/** Changes all tabs of the page, which must not move the tab under the pointer. */
function followTabs({ target }: Event): void {
  if (!(target instanceof HTMLInputElement) || !target.closest('.languages')) return;
  const before = target.getBoundingClientRect().top;
  chooseLanguage(target.value);
  scrollBy({ top: target.getBoundingClientRect().top - before, behavior: 'instant' });
  try {
    localStorage.setItem(LANGUAGE, target.value);
  } catch {
    // Private windows refuse writes.
  }
}

function readLanguage(): string | null {
  try {
    return localStorage.getItem(LANGUAGE);
  } catch {
    return null;
  }
}

const language = readLanguage();
if (document.querySelector(`.languages input[value="${CSS.escape(language ?? '')}"]`))
  chooseLanguage(language ?? '');
document.addEventListener('change', followTabs);

field?.addEventListener('input', () => void showResults());
form?.addEventListener('submit', (event) => {
  event.preventDefault();
  void showResults();
});

export {};
