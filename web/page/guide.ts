/** A part of a guide, as the index has it. */
interface Entry {
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
let index: Promise<Entry[]> | undefined;

async function load(): Promise<Entry[]> {
  return (await (await fetch('/docs/index.json')).json()) as Entry[];
}

/** Headings count more than text; every word has to be there. */
function search(entries: Entry[], words: string[]): Entry[] {
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

function around(text: string, word: string): string {
  const at = Math.max(0, text.toLowerCase().indexOf(word) - MAX_WORDS_AROUND);
  return `${at > 0 ? '…' : ''}${text.slice(at, at + 2 * MAX_WORDS_AROUND)}…`;
}

function shown(entry: Entry, word: string): HTMLLIElement {
  const link = document.createElement('a');
  link.href = entry.url;
  link.textContent = entry.page === entry.heading ? entry.page : `${entry.page}: ${entry.heading}`;
  const words = document.createElement('p');
  words.textContent = around(entry.text, word);
  const item = document.createElement('li');
  item.append(link, words);
  return item;
}

async function show(): Promise<void> {
  const words = (field?.value ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  index ??= load();
  const entries = words.length > 0 ? search(await index, words) : [];
  const list = document.createElement('ol');
  list.append(...entries.map((entry) => shown(entry, words[0] ?? '')));
  const nothing = words.length > 0 && entries.length === 0;
  found?.replaceChildren(...(nothing ? ['Nothing is found.'] : entries.length > 0 ? [list] : []));
}

field?.addEventListener('input', () => void show());
form?.addEventListener('submit', (event) => {
  event.preventDefault();
  void show();
});

export {};
