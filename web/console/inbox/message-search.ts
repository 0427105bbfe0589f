import { ParlanceError } from '@parlance/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { stripTags } from '../../../domain/strip-tags.ts';
import { stripDirection } from '../../components/shown-text.ts';
import { client } from '../session.ts';
import { useLoad } from '../use-query.ts';
import type { QueryState } from '../use-query.ts';
import type { TimelineMessage } from './conversation.ts';
import { findExcerpt } from './excerpt.ts';
import type { FoundMessage } from './row.tsx';

/** The searches of the API take no filters, so the lists narrow what they find. */
export const MOST_FOUND = 200;
const PAUSE_MS = 200;
const MESSAGE_FIELDS = 'conversation,text,contentType,items,createdAt,processedAt,role,user,isBackchannel';

interface SearchResult<T> {
  words: string;
  found: T;
}

/**
 * Searches at once, and again after a pause in typing. The last result stays until the next,
 * because a row may have the focus.
 */
export function useSearch<T>(
  words: string,
  search: (words: string, signal: AbortSignal) => Promise<T>,
): QueryState<SearchResult<T>> {
  const [settled, setSettled] = useState(words);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(words), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [words]);
  const query = useLoad(settled, (signal) =>
    search(settled, signal).then((found) => ({ words: settled, found })),
  );
  const last = useRef(query.value);
  last.current = query.value ?? last.current;
  return { ...query, value: last.current };
}

/** Returns null if the search costs too much. */
export async function searchMessages(
  wanted: { q: string; conversation?: string },
  signal: AbortSignal,
): Promise<TimelineMessage[] | null> {
  const query = { ...wanted, limit: MOST_FOUND, select: MESSAGE_FIELDS };
  try {
    return await client.call('GET /messages/search', { query, signal });
  } catch (error) {
    if (error instanceof ParlanceError && error.code === 'invalid_request') return null;
    throw error;
  }
}

export function describeMessage(message: TimelineMessage, search: string): FoundMessage {
  const { contentType, items = [], createdAt, processedAt = createdAt } = message;
  const text = contentType === 'text/html' ? stripTags(message.text) : message.text;
  const listed = items.flatMap(({ title, description }) => [title, description ?? '']);
  const excerpt = findExcerpt(stripDirection([text, ...listed].join(' ')), search);
  return { ...message, excerpt, at: processedAt };
}
