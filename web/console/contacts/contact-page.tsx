import type { Contact, TimelineMessage } from '@parlance/client';
import { useState } from 'preact/hooks';
import { Avatar } from '../parts/avatar.tsx';
import { readMedia } from '../../../domain/files/media.ts';
import { Button } from '../parts/button.tsx';
import { download } from '../parts/download.ts';
import { Empty, Loading, Pending, Problem } from '../parts/notices.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Menu } from '../parts/menu.tsx';
import { Time } from '../parts/time.tsx';
import { formatHref, goTo } from '../route.ts';
import type { ScreenProps } from '../route.ts';
import { client } from '../session.ts';
import type { Session } from '../session.ts';
import { TEXTS } from '../texts.ts';
import { useAction } from '../use-action.ts';
import { useQuery } from '../use-query.ts';
import { LIST_SHAPE } from '../inbox/conversation.ts';
import type { InboxConversation } from '../inbox/conversation.ts';
import { IdentityList } from '../inbox/identities.tsx';
import { BlockForm, setBlocked } from './block.tsx';
import { getContactName, listValues } from './contact.ts';
import { ContactDesk } from './desk.tsx';
import { EraseForm } from './erase.tsx';
import { Talks } from './history.tsx';
import { MergeForm } from './merge.tsx';
import { loadProfileDraft } from './profile-draft.ts';
import { ProfileForm } from './profile-form.tsx';
import type { EditedContact } from './profile-form.tsx';
import { words } from './texts.ts';
import { ValueList } from './value-list.tsx';

interface PageProps extends Pick<ScreenProps, 'session'> {
  id: string;
}

export function ContactPage({ id, session }: PageProps) {
  // Agents may list contacts, and only bots may fetch one (spec 4.2).
  const { value, replace, ...query } = useQuery('GET /contacts', { query: { id } });
  const talks = useQuery('GET /conversations', {
    query: { ...LIST_SHAPE, select: `${LIST_SHAPE.select},results`, contact: id, sort: '-lastMessageAt' },
  });
  const [isEditing, setEditing] = useState(() => loadProfileDraft(session.user, id) !== undefined);
  const [contact] = value ?? [];
  if (!value) return <Pending query={query} />;
  if (!contact) return <Empty>{words.gone}</Empty>;
  const conversations: readonly InboxConversation[] | undefined = talks.value;
  const changed = () => {
    query.again();
    talks.again();
  };
  return (
    <div class="page contact">
      <a class="back-link" href={formatHref('contacts')}>
        ← {words.back}
      </a>
      <Head
        {...{ contact, session, conversations }}
        {...{ isEditing, changed }}
        edit={() => setEditing(true)}
      />
      <div class="contact-columns">
        <div>
          <section class="card" aria-label={words.profile}>
            <h2>{words.profile}</h2>
            {isEditing ? (
              <ProfileForm
                contact={contact}
                user={session.user}
                hasNumber={session.scope !== 'agent'}
                saved={(edited) => {
                  replace([withEdited(contact, edited)]);
                  setEditing(false);
                }}
                cancel={() => setEditing(false)}
              />
            ) : (
              <Profile contact={contact} />
            )}
          </section>
          <section class="card" aria-label={words.desk}>
            <h2>{words.desk}</h2>
            <ContactDesk contact={contact} session={session} changed={query.again} />
          </section>
          <Identities of={contact.identities} />
        </div>
        <div>
          <Problem error={talks.error} again={talks.again} />
          {conversations ? <Talks conversations={conversations} session={session} /> : null}
        </div>
      </div>
    </div>
  );
}

function Identities({ of = [] }: { of: Contact['identities'] }) {
  if (of.length === 0) return null;
  return (
    <section class="card" aria-label={words.identities}>
      <h2>{words.identities}</h2>
      <IdentityList of={of} />
    </section>
  );
}

function withEdited({ externalId: _, ...others }: Contact, edited: EditedContact): Contact {
  return { ...others, ...edited };
}

interface HeadProps {
  contact: Contact;
  session: Session;
  conversations: readonly InboxConversation[] | undefined;
  isEditing: boolean;
  edit: () => void;
  /** Loads everything again. */
  changed: () => void;
}

type Opened = 'block' | 'merge' | 'erase';

function Head({ contact, session, conversations, isEditing, edit, changed }: HeadProps) {
  const name = getContactName(contact);
  const [opened, setOpened] = useState<Opened>();
  const [isExported, setExported] = useState(false);
  const { error, run } = useAction();
  const exporting = useAction();
  const { isRunning: isExporting } = exporting;
  const close = () => setOpened(undefined);
  const exportIt = async () => {
    setExported(false);
    setExported(await exporting.run(() => downloadContact(contact)));
  };
  return (
    <>
      <header class="head">
        <Avatar name={name} />
        <h1>
          <bdi>{name}</bdi>
        </h1>
        {contact.blocked ? <span class="badge failed">{TEXTS.blocked}</span> : null}
        {isEditing ? null : <Button word={TEXTS.edit} press={edit} />}
        <Menu
          label={words.more}
          items={[
            contact.blocked
              ? { word: words.unblock, press: () => run(() => setBlocked(contact, false).then(changed)) }
              : { word: words.block, press: () => setOpened('block') },
            ...(session.scope === 'admin'
              ? [
                  { word: words.merge, press: () => setOpened('merge') },
                  { word: words.exportIt, press: exportIt, disabled: isExporting },
                  { word: words.erase, press: () => setOpened('erase') },
                ]
              : []),
          ]}
        >
          ⋯
        </Menu>
      </header>
      {isExporting ? <p role="status">{words.exporting}</p> : null}
      {isExported ? <p role="status">{words.exported}</p> : null}
      <Problem error={error ?? exporting.error} />
      {opened === undefined ? null : (
        <HeadDialog {...{ opened, close, contact, name, conversations, changed }} />
      )}
    </>
  );
}

interface DialogProps extends Pick<HeadProps, 'contact' | 'conversations' | 'changed'> {
  opened: Opened;
  close: () => void;
  name: string;
}

function HeadDialog({ opened, close, contact, name, conversations, changed }: DialogProps) {
  if (opened === 'block') {
    const done = () => {
      close();
      changed();
    };
    return (
      <Dialog title={words.blockTitle(name)} close={close}>
        <BlockForm contact={contact} done={done} />
      </Dialog>
    );
  }
  if (opened === 'erase')
    return (
      <Dialog title={words.eraseTitle(name)} close={close}>
        {conversations ? (
          <EraseForm contact={contact} name={name} conversations={conversations} />
        ) : (
          <Loading />
        )}
      </Dialog>
    );
  const merged = (survivor: string) => {
    close();
    if (survivor === contact.id) changed();
    else goTo('contacts', survivor);
  };
  return (
    <Dialog title={words.merge} close={close}>
      <MergeForm contact={contact} merged={merged} />
    </Dialog>
  );
}

const ORDER = ['name', 'givenName', 'familyName', 'email', 'telephone', 'locale'] as const;

function Profile({ contact: { profile, externalId, meta, createdAt } }: { contact: Contact }) {
  const { email, telephone } = profile;
  const links: Partial<Record<string, string>> = {
    ...(email && { email: `mailto:${email}` }),
    ...(telephone && { telephone: `tel:${telephone}` }),
  };
  const own = ORDER.map((key) => ({ name: key, value: profile[key] ?? '' }));
  const pairs = [
    ...own,
    ...listValues(profile.address ?? {}),
    { name: 'externalId', value: externalId ?? '' },
  ].filter(({ value }) => value !== '');
  return (
    <>
      {pairs.length === 0 ? <p class="hint">{words.nothingKnown}</p> : null}
      <dl class="pairs">
        {pairs.map(({ name, value }, at) => (
          <div key={at}>
            <dt>{words.fields[name] ?? name}</dt>
            <dd>
              <bdi>{links[name] === undefined ? value : <a href={links[name]}>{value}</a>}</bdi>
            </dd>
          </div>
        ))}
        <div>
          <dt>{words.since}</dt>
          <dd>
            <Time at={createdAt} />
          </dd>
        </div>
      </dl>
      {listValues(meta).length === 0 ? null : (
        <>
          <h3>{words.further}</h3>
          <ValueList of={meta} />
        </>
      )}
    </>
  );
}

/** Downloads everything about the contact as one JSON file. */
async function downloadContact(contact: Contact): Promise<void> {
  const conversations: object[] = [];
  const files: object[] = [];
  for await (const conversation of client.list('GET /conversations', { query: { contact: contact.id } })) {
    const messages: TimelineMessage[] = [];
    const path = { id: conversation.id };
    for await (const message of client.list('GET /conversations/{id}/timeline', { path })) {
      messages.push(message);
      const media = readMedia(message.meta);
      if (media) files.push({ ...media, url: message.text, message: message.id });
    }
    conversations.push({ ...conversation, messages });
  }
  const content = { exportedAt: new Date().toISOString(), contact, conversations, files };
  download(
    `${toFileName(getContactName(contact))}.json`,
    JSON.stringify(content, null, 2),
    'application/json',
  );
}

function toFileName(name: string): string {
  return name.replace(/[^\p{L}\p{N}@.+-]+/gu, '-').slice(0, 100) || 'contact';
}
