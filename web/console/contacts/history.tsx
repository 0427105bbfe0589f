import type { TimelineMessage } from '@parlance/client';
import { readMedia } from '../../../domain/files/media.ts';
import { formatBytes } from '../../components/file-size.ts';
import { Row } from '../inbox/row.tsx';
import type { InboxConversation } from '../inbox/conversation.ts';
import { Empty, Loading, Problem } from '../parts/notices.tsx';
import { Time } from '../parts/time.tsx';
import { formatHref } from '../route.ts';
import { client } from '../session.ts';
import type { Session } from '../session.ts';
import { useLoad } from '../use-query.ts';
import type { QueryState } from '../use-query.ts';
import { words } from './texts.ts';
import { ValueList } from './value-list.tsx';

interface Props {
  conversations: readonly InboxConversation[];
  session: Session;
}

/** Conversations, results and files of a contact. */
export function Talks({ conversations, session }: Props) {
  return (
    <>
      <section class="card" aria-label={words.conversations}>
        <h2>{words.conversations}</h2>
        {conversations.length === 0 ? <Empty>{words.noConversations}</Empty> : null}
        <ul class="talks">
          {conversations.map((one) => (
            <li key={one.id}>
              <Row
                conversation={one}
                href={formatHref('inbox', 'all', one.id)}
                user={session.user}
                isChosen={false}
              />
            </li>
          ))}
        </ul>
      </section>
      <Results conversations={conversations} />
      <Files conversations={conversations} />
    </>
  );
}

/** The newest of these are shown. */
const MANY = 200;

/** Messages of all conversations, the newest first. */
function useMessages(
  conversations: readonly InboxConversation[],
  query: Record<string, string>,
): QueryState<TimelineMessage[]> {
  const ids = conversations.map(({ id }) => id);
  const load = async (signal: AbortSignal) => {
    const given = { ...query, sort: '-createdAt', limit: MANY };
    const lists = await Promise.all(
      ids.map((id) =>
        client.call('GET /conversations/{id}/timeline', { path: { id }, query: given, signal }),
      ),
    );
    return lists.flat().sort((a, b) => b.createdAt.localeCompare(a.createdAt));
  };
  return useLoad(ids.length === 0 ? null : JSON.stringify([ids, query]), load);
}

function Results({ conversations }: Pick<Props, 'conversations'>) {
  const hasResults = conversations.some(({ results }) => results.length > 0);
  const query = useMessages(hasResults ? conversations : [], { type: 'results' });
  const results = (query.value ?? []).flatMap(({ id, createdAt, results: some = [] }) =>
    some.map((result, at) => ({ ...result, key: `${id} ${at}`, createdAt })),
  );
  return (
    <section class="card" aria-label={words.results}>
      <h2>{words.results}</h2>
      <Problem error={query.error} again={query.again} />
      {hasResults ? query.value || query.error ? null : <Loading /> : <Empty>{words.noResults}</Empty>}
      {results.map(({ key, createdAt, formName, values }) => (
        <article key={key} class="result">
          <h3>
            {formName} <Time at={createdAt} />
          </h3>
          <ValueList of={values ?? {}} />
        </article>
      ))}
    </section>
  );
}

function Files({ conversations }: Pick<Props, 'conversations'>) {
  const query = useMessages(conversations, FILES);
  const files = (query.value ?? []).flatMap((message) => {
    const media = readMedia(message.meta);
    return media && /^https?:/.test(message.text) ? [{ message, media }] : [];
  });
  const isLoaded = query.value !== undefined || conversations.length === 0;
  return (
    <section class="card" aria-label={words.files}>
      <h2>{words.files}</h2>
      <Problem error={query.error} again={query.again} />
      {isLoaded ? null : query.error ? null : <Loading />}
      {isLoaded && files.length === 0 ? <Empty>{words.noFiles}</Empty> : null}
      <ul class="contact-files">
        {files.map(({ message: { id, text, role, createdAt }, media }) => (
          <li key={id}>
            <a href={text} target="_blank" rel="noreferrer">
              <bdi>{media.name}</bdi>
            </a>{' '}
            <span class="hint">
              {formatBytes(media.bytes)} · {role === 'contact' ? words.fileByContact : words.fileByUs} ·{' '}
              <Time at={createdAt} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Messages that are a file alone (spec 6.11). */
export const FILES = { 'meta.media.name': '' };
