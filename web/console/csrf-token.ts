const OFFERED = /^#session=([\w-]+)(?=\/|$)/;

/** Where the browser keeps nothing, it lives as long as the page. */
let memoryToken = '';

/** Two deployments may share an origin, each below another path. */
function storageKey(): string {
  return `parlance:console:csrf${location.pathname.replace(/\/console\/?$/, '')}`;
}

/**
 * Returns what requests by the session's cookie send as `X-CSRF-Token` (spec 12.1); empty without
 * one. All tabs of this origin share it; a server on another port cannot read it.
 */
export function csrfToken(): string {
  try {
    return localStorage.getItem(storageKey()) ?? memoryToken;
  } catch {
    return memoryToken;
  }
}

export function storeCsrfToken(token: string): void {
  memoryToken = token;
  try {
    if (token === '') localStorage.removeItem(storageKey());
    else localStorage.setItem(storageKey(), token);
  } catch {
    // Private windows and full storages refuse.
  }
}

/**
 * Takes the token out of the address that the start page led to (spec 12.4); empty without one.
 * Anybody can write such an address, so try the token before keeping it.
 */
export function takeOfferedToken(): string {
  const [whole = '', token = ''] = OFFERED.exec(location.hash) ?? [];
  if (token !== '') history.replaceState(null, '', `#${location.hash.slice(whole.length)}`);
  return token;
}
