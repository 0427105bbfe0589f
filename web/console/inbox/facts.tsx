import type { Contact } from '@parlance/client';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { words as CONTACT } from '../contacts/texts.ts';
import { Button } from '../parts/button.tsx';
import { stripDirection } from '../../components/shown-text.ts';
import { workflowAddress } from '../../../domain/operators/saved-views.ts';
import { Time } from '../parts/time.tsx';
import { formatHref } from '../route.ts';
import type { Session } from '../session.ts';
import { TEXTS } from '../texts.ts';
import { useQuery } from '../use-query.ts';
import { getUserId, getUserName } from './conversation.ts';
import type { InboxConversation } from './conversation.ts';
import { listValues } from '../contacts/contact.ts';
import { ConversationContactDesk } from '../contacts/desk.tsx';
import { loadProfileDraft } from '../contacts/profile-draft.ts';
import { ProfileForm } from '../contacts/profile-form.tsx';
import { IdentityList } from './identities.tsx';
import { Labels } from './labels.tsx';
import { useTeams } from './teams.tsx';
import { labels as LABELS, INBOX_WORDS } from './texts.ts';

interface Props {
  conversation: InboxConversation;
  session: Session;
  /** Whether the panel covers the conversation on a narrow screen. */
  isOpen: boolean;
  close: () => void;
  /** Called after a change. */
  done: () => void;
}

export function Facts({ conversation, session, isOpen, close, done }: Props) {
  const { contact, category, language, team, createdAt, rating, meta } = conversation;
  const { nameTeam } = useTeams();
  const drawer = useDrawer(isOpen, close);
  return (
    <aside class={isOpen ? 'facts open' : 'facts'} aria-label={INBOX_WORDS.facts} ref={drawer}>
      <Button word="✕" class="quiet facts-close" aria-label={TEXTS.close} press={close} />
      <Part title={INBOX_WORDS.contact}>
        {typeof contact === 'object' ? <Person key={contact.id} {...{ contact, session, done }} /> : null}
      </Part>
      {typeof contact === 'object' ? (
        <Part title={LABELS.ofContact}>
          <ConversationContactDesk key={contact.id} contact={contact.id} session={session} />
        </Part>
      ) : null}
      <Identities of={typeof contact === 'object' ? contact.identities : undefined} />
      <Part title={INBOX_WORDS.conversation}>
        <Pairs
          pairs={{ team: team === undefined ? undefined : nameTeam(team), category, language }}
          names={INBOX_WORDS.fields}
        />
        <p>
          {INBOX_WORDS.began} <Time at={createdAt} />
        </p>
        {rating === undefined ? null : <p>{INBOX_WORDS.rated(rating)}</p>}
      </Part>
      <Part title={LABELS.title}>
        <Labels key={conversation.id} conversation={conversation} done={done} />
      </Part>
      <People conversation={conversation} />
      <Forms conversation={conversation} />
      {Object.keys(meta).length === 0 ? null : (
        <Part title={CONTACT.further}>
          <Pairs pairs={meta} />
        </Part>
      )}
      {session.scope === 'admin' ? <Deliveries conversation={conversation.id} /> : null}
      <Part title={INBOX_WORDS.links}>
        <Links conversation={conversation} temporal={session.temporal} />
      </Part>
    </aside>
  );
}

interface PersonProps extends Pick<Props, 'session' | 'done'> {
  contact: Exclude<InboxConversation['contact'], string | undefined>;
}

/** The profile of the contact, edited in place. */
function Person({ contact, session: { user }, done }: PersonProps) {
  const [isEditing, setEditing] = useState(() => loadProfileDraft(user, contact.id) !== undefined);
  const { address = {}, ...profile } = contact.profile;
  const close = () => setEditing(false);
  const saved = () => {
    close();
    done();
  };
  if (isEditing) return <ProfileForm {...{ contact, user, saved }} hasNumber={false} cancel={close} />;
  return (
    <>
      <Pairs pairs={profile} names={CONTACT.fields} />
      <Pairs pairs={address} names={CONTACT.fields} />
      <p class="commands">
        <a href={formatHref('contacts', contact.id)}>{INBOX_WORDS.openContact}</a>
        <Button word={TEXTS.edit} class="quiet" press={() => setEditing(true)} />
      </p>
    </>
  );
}

function useDrawer(isOpen: boolean, close: () => void) {
  const drawer = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    const before = document.activeElement;
    drawer.current?.querySelector<HTMLElement>('.facts-close')?.focus();
    const pressed = ({ target }: Event) => {
      // The toggle closes the drawer itself.
      const isBeside = target instanceof Element && !target.closest('.facts, .facts-toggle, dialog');
      if (isBeside) close();
    };
    const typed = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !document.querySelector('dialog[open]')) close();
    };
    document.addEventListener('pointerdown', pressed);
    document.addEventListener('keydown', typed);
    return () => {
      document.removeEventListener('pointerdown', pressed);
      document.removeEventListener('keydown', typed);
      if (before instanceof HTMLElement) before.focus();
    };
  }, [isOpen]);
  return drawer;
}

function Identities({ of = [] }: { of: Contact['identities'] }) {
  if (of.length === 0) return null;
  return (
    <Part title={INBOX_WORDS.identities}>
      <IdentityList of={of} />
    </Part>
  );
}

function People({ conversation: { participants } }: Pick<Props, 'conversation'>) {
  return (
    <Part title={INBOX_WORDS.participants}>
      <ul class="people">
        {participants.map(({ user, accepted, inbox }) => (
          <li key={getUserId(user)}>
            {getUserName(user)}
            {accepted ? ` · ${INBOX_WORDS.accepted}` : ''}
            {inbox ? ` · ${INBOX_WORDS.assigned}` : ''}
          </li>
        ))}
      </ul>
    </Part>
  );
}

function Forms({ conversation: { forms, results } }: Pick<Props, 'conversation'>) {
  return (
    <>
      {forms.map(({ form, name, values }) => (
        <Part key={form} title={`${INBOX_WORDS.form} ${name}`}>
          <Pairs pairs={values} />
        </Part>
      ))}
      {results.length === 0 ? null : (
        <Part title={INBOX_WORDS.results}>
          <ul>
            {results.map(({ message, form, name }) => (
              <li key={`${message} ${form}`}>{stripDirection(name)}</li>
            ))}
          </ul>
        </Part>
      )}
    </>
  );
}

function Part({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section>
      <h2>{stripDirection(title)}</h2>
      {children}
    </section>
  );
}

interface PairsProps {
  pairs: object;
  /** Words for the names of fields. Other names are shown unchanged. */
  names?: Readonly<Record<string, string>>;
}

function Pairs({ pairs, names = {} }: PairsProps) {
  return (
    <dl>
      {listValues(pairs).map(({ name, value }) => (
        <div key={name}>
          <dt>{stripDirection(names[name] ?? name)}</dt>
          <dd>
            <bdi>{stripDirection(value)}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}

const SHOWN = 5;
const LOOK_MS = 10_000;

function Deliveries({ conversation }: { conversation: string }) {
  const query = { conversation, sort: '-createdAt', limit: SHOWN };
  const { value = [] } = useQuery('GET /deliveries', { query, everyMs: LOOK_MS });
  if (value.length === 0) return null;
  return (
    <Part title={INBOX_WORDS.deliveries}>
      <ul>
        {value.map(({ id, event, status }) => (
          <li key={id}>
            <a href={formatHref('webhooks', 'deliveries', id)}>{event}</a>{' '}
            <span class={`badge ${status}`}>{TEXTS.deliveryStatuses[status]}</span>
          </li>
        ))}
      </ul>
    </Part>
  );
}

export interface LinksProps {
  conversation: InboxConversation;
  temporal: Session['temporal'];
}

export function Links({ conversation: { id, url }, temporal }: LinksProps) {
  return (
    <>
      <p>
        <a href={`${url}#agent`} target="_blank" rel="noreferrer">
          {INBOX_WORDS.chatPage}
        </a>
      </p>
      {temporal === undefined ? null : (
        <p>
          <a
            href={workflowAddress(`conversation:${id}`, temporal.ui, temporal.namespace)}
            target="_blank"
            rel="noreferrer"
          >
            {INBOX_WORDS.workflow}
          </a>
        </p>
      )}
    </>
  );
}
