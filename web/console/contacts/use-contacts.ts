import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { client } from '../session.ts';
import { useSignedIn } from '../use-action.ts';
import { searchContacts } from './contact.ts';
import type { ListedContact } from './contact.ts';

const PAGE = 50;

interface Listed {
  items: readonly ListedContact[] | undefined;
  /** Number of all contacts that the search finds. */
  total: number;
  isComplete: boolean;
  error: Error | undefined;
}

const EMPTY: Listed = { items: undefined, total: 0, isComplete: false, error: undefined };

/** The newest contacts first, by pages. `organization` limits them to one organization. */
export function useContacts(text: string, organization?: string) {
  const [listed, setListed] = useState(EMPTY);
  const reading = useRef<AbortController>(undefined);
  const read = useCallback(
    async (after?: ListedContact) => {
      if (after && reading.current) return;
      reading.current?.abort();
      const mine = new AbortController();
      reading.current = mine;
      const { signal } = mine;
      try {
        const query = { ...searchContacts(text), organization };
        const page = await loadPage({ ...query, ...(after && { id: `<${after.id}` }) }, signal);
        setListed((now) => ({
          items: after ? [...(now.items ?? []), ...page.items] : page.items,
          total: after ? now.total : page.total,
          isComplete: page.items.length < PAGE,
          error: undefined,
        }));
      } catch (error) {
        if (!signal.aborted) setListed((now) => ({ ...now, error: error as Error }));
      } finally {
        if (reading.current === mine) reading.current = undefined;
      }
    },
    [text, organization],
  );
  useEffect(() => {
    setListed(EMPTY);
    void read();
    return () => {
      reading.current?.abort();
      reading.current = undefined;
    };
  }, [read]);
  useSignedIn(() => void read());
  return {
    ...listed,
    again: () => void read(),
    more: () => void read(listed.items?.at(-1)),
  };
}

async function loadPage(given: Record<string, string | number | boolean | undefined>, signal: AbortSignal) {
  const { headers, body } = await client.callWithResponse('GET /contacts', {
    query: { ...given, sort: '-id', limit: PAGE, populate: 'conversation:status|lastMessageAt|lastMessage' },
    signal,
  });
  const items: readonly ListedContact[] = body;
  return { items, total: Number(headers.get('X-Total')) };
}
