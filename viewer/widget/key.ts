/** Who the visitor is, as the website says and signs it (spec 13.4). */
export interface Visitor {
  email?: string | undefined;
  telephone?: string | undefined;
  name?: string | undefined;
  signature?: string | undefined;
}

/** What a website keeps of a visitor's conversation. */
export interface Kept {
  slug?: string;
  /** What the chat page keeps: many browsers let no framed page keep anything itself. */
  page?: object;
}

/**
 * Reads or, given a value, writes what this website keeps in this browser; nothing where it keeps
 * nothing, as some private windows do.
 */
export function keep(storage: 'localStorage' | 'sessionStorage', name: string, value?: unknown): unknown {
  try {
    if (value !== undefined) window[storage].setItem(name, JSON.stringify(value));
    return JSON.parse(window[storage].getItem(name) ?? 'null');
  } catch {
    return null;
  }
}

/**
 * What is kept of a visitor's conversation: who signs out, or in as somebody else, does not find
 * it. Given a part, that part is written; given null, all is forgotten.
 */
export function keptOf(name: string, { signature = '' }: Visitor, part?: Kept | null): Kept {
  const { who, ...found } = (keep('localStorage', name) ?? {}) as Kept & { who?: string };
  const known = { ...(who === signature && part !== null ? found : {}), ...part };
  if (part !== undefined) keep('localStorage', name, { ...known, who: signature });
  return known;
}
