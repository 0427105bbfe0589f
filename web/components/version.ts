/** Loads a part of the page. Reloads the page if an upgrade of the server has removed its parts. */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (await isOutdated()) location.reload();
    throw error;
  }
}

const UNSEEN_MS = 60_000;
let isWaiting = false;

/** Reloads an outdated page while it is hidden and has no unsent text. */
export async function renewUnseen(isSeen = () => !document.hidden): Promise<void> {
  if (isWaiting || !(await isOutdated())) return;
  isWaiting = true;
  let wasSeen = true;
  setInterval(() => {
    const isUnseen = !wasSeen && !isSeen();
    wasSeen = isSeen();
    if (isUnseen && !isInUse()) location.reload();
  }, UNSEEN_MS);
}

function isInUse(): boolean {
  const fields = document.querySelectorAll<HTMLInputElement>('textarea, input:not([type=hidden])');
  const isWritten = ({ type, value }: HTMLInputElement) => !/radio|checkbox/.test(type) && value !== '';
  return document.querySelector('dialog[open], .uploads') !== null || [...fields].some(isWritten);
}

async function isOutdated(): Promise<boolean> {
  try {
    const response = await fetch(location.pathname, { cache: 'no-store' });
    const scripts = [...document.querySelectorAll('script[src]')].map((one) => one.getAttribute('src') ?? '');
    const page = await response.text();
    return response.ok && !scripts.every((src) => page.includes(src));
  } catch {
    return false;
  }
}
