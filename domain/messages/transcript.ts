import { renderWhole } from '../channels/render-text.ts';
import type { ViewerMessage } from './chat-page-message.ts';

interface TranscriptNames {
  organization: string;
  contact: string;
}

/** Returns a message as lines: time and author, then the content (spec 6.13). */
export function renderEntry(message: ViewerMessage, { organization, contact }: TranscriptNames): string {
  const { role, author, at, media, ...content } = message;
  const name = role === 'contact' ? contact : (author?.name ?? organization);
  const file = media === undefined ? [] : [media.name];
  const text = renderWhole({ ...content, ...(media && { meta: { media } }) });
  return [`[${formatMinute(at)}] ${name}`, ...file, text].filter((line) => line !== '').join('\n');
}

interface Transcript {
  title: string;
  /** In order. */
  entries: readonly string[];
  /** Earlier messages are left out. */
  isCut: boolean;
  createdAt: string;
}

export function renderTranscript({ title, entries, isCut, createdAt }: Transcript): string {
  const head = [
    title,
    `Created at ${formatMinute(createdAt)}. All times are in UTC.`,
    ...(isCut ? ['Earlier messages are left out.'] : []),
  ];
  return `${[head.join('\n'), ...entries].join('\n\n')}\n`;
}

/** Returns a time such as `2026-11-28 09:12`. */
function formatMinute(at: string): string {
  return at.slice(0, 16).replace('T', ' ');
}
