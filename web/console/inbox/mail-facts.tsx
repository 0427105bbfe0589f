import { webUrl } from '../../components/html.ts';
import { parseUrl } from '../../components/urls.ts';
import { hasVisibleText, stripDirection } from '../../components/shown-text.ts';
import { INBOX_WORDS } from './texts.ts';
import type { TimelineMessage } from './conversation.ts';

/** Shows who wrote a mail that became a note, and links to the whole mail (spec 15.11). */
export function MailFacts({ message: { meta, isBackchannel } }: { message: TimelineMessage }) {
  const email = readFields(meta?.['email']);
  const from = isBackchannel ? readText(email['from']) : '';
  const original = readOriginal(email['original']);
  if (from === '' && original === null) return null;
  const words = INBOX_WORDS;
  return (
    <p class="mail">
      {from === '' ? null : (
        <>
          {words.mailFrom} <bdi>{from}</bdi>
        </>
      )}
      {from === '' || original === null ? null : ' · '}
      {original === null ? null : (
        <a
          href={original}
          title={email['isCut'] === true ? words.mailIsCut : undefined}
          target="_blank"
          rel="noopener noreferrer"
        >
          {words.wholeMail}
        </a>
      )}
    </p>
  );
}

/** Callers write `meta` freely. */
function readFields(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function readText(value: unknown): string {
  return typeof value === 'string' && hasVisibleText(value) ? stripDirection(value) : '';
}

/** Returns null unless the address is of this product or has TLS. */
function readOriginal(value: unknown): string | null {
  const href = typeof value === 'string' ? webUrl(value) : null;
  const url = href === null ? null : parseUrl(href);
  return url && (url.protocol === 'https:' || url.origin === location.origin) ? url.href : null;
}
