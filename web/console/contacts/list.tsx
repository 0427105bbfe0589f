import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { Avatar } from '../parts/avatar.tsx';
import { Button } from '../parts/button.tsx';
import { Empty, Loading, Problem } from '../parts/notices.tsx';
import { Time } from '../parts/time.tsx';
import { formatHref, formatHrefWith, replaceRoute, useRouteQuery } from '../route.ts';
import { TEXTS } from '../texts.ts';
import { useEdited } from '../use-edited.ts';
import { describeContent } from '../inbox/conversation.ts';
import { getContactName, isNameless } from './contact.ts';
import type { ListedContact } from './contact.ts';
import { words } from './texts.ts';
import { useContacts } from './use-contacts.ts';

export function ContactList() {
  const { q = '' } = useRouteQuery();
  return (
    <div class="page contacts">
      <h1>{words.title}</h1>
      <FoundContacts
        text={q}
        search={(text) => replaceRoute(formatHrefWith({ q: text }, 'contacts'))}
        empty={words.none}
      >
        {(contact, content) => <a href={formatHref('contacts', contact.id)}>{content}</a>}
      </FoundContacts>
    </div>
  );
}

interface FoundProps {
  text: string;
  search: (text: string) => void;
  empty: string;
  /** Limits the search to an organization. */
  organization?: string;
  /** A contact that is not offered. */
  besides?: string;
  /** Wraps the content of a row into a link or a button. */
  children: (contact: ListedContact, content: ComponentChildren) => ComponentChildren;
}

const PAUSE_MS = 250;

/** A search field, and the contacts that it finds. */
export function FoundContacts({ text, search, empty, organization, besides, children }: FoundProps) {
  // A space at the end is the beginning of the next word.
  const [typed, setTyped] = useEdited(text, (typed) => typed.trim() === text);
  useEffect(() => {
    if (typed.trim() === text) return undefined;
    const timer = setTimeout(() => search(typed.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const { items, total, isComplete, error, again, more } = useContacts(text, organization);
  const shown = items?.filter(({ id }) => id !== besides);
  return (
    <>
      <input
        type="search"
        class="contact-search"
        aria-label={words.search}
        placeholder={words.searchHint}
        value={typed}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <Problem error={error} again={again} />
      {shown === undefined ? error ? null : <Loading /> : null}
      {shown?.length === 0 ? <Empty>{text === '' ? empty : words.noneFound(text)}</Empty> : null}
      {shown === undefined || shown.length === 0 ? null : (
        <>
          <p class="hint" role="status">
            {text === '' ? words.count(total) : words.found(total)}
          </p>
          <ul class="contact-list" aria-label={words.title}>
            {shown.map((contact) => (
              <li key={contact.id}>{children(contact, <ContactLine contact={contact} />)}</li>
            ))}
          </ul>
          {isComplete ? null : <Button word={TEXTS.more} press={more} />}
        </>
      )}
    </>
  );
}

function ContactLine({ contact }: { contact: ListedContact }) {
  const name = getContactName(contact);
  const { profile, labels = [], conversation, createdAt } = contact;
  const talk = typeof conversation === 'object' ? conversation : undefined;
  const said = isNameless(contact) ? talk?.lastMessage : undefined;
  const [email, telephone] = [profile.email, profile.telephone].map((one) => (one === name ? '' : one));
  return (
    <>
      <Avatar name={name} />
      <span class="name">{name}</span>
      <span class="detail">
        {contact.blocked ? <span class="badge failed">{TEXTS.blocked}</span> : null}
        {[email, telephone, profile.address?.['city']].filter(Boolean).map((one) => (
          <bdi key={one}>{one}</bdi>
        ))}
        {labels.map((label) => (
          <span key={label} class="label">
            {label}
          </span>
        ))}
        {said === undefined ? null : <bdi>{describeContent(said)}</bdi>}
      </span>
      {talk?.status === undefined ? null : (
        <span class={`badge ${talk.status}`}>{TEXTS.statuses[talk.status]}</span>
      )}
      <Time at={talk?.lastMessageAt ?? createdAt} />
    </>
  );
}
