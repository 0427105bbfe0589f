import type { Contact } from '@parlance/client';
import { useState } from 'preact/hooks';
import { MAX_NOTE_CHARACTERS } from '../../../domain/contact-notes.ts';
import { useColleagues } from '../inbox/assign.tsx';
import { EditableLabels } from '../inbox/labels.tsx';
import { ConfirmButton } from '../parts/dialog.tsx';
import { TextField } from '../parts/fields.tsx';
import { ActionForm } from '../parts/form.tsx';
import { Time } from '../parts/time.tsx';
import { client } from '../session.ts';
import type { Session } from '../session.ts';
import { INBOX_WORDS } from '../inbox/texts.ts';
import { useQuery } from '../use-query.ts';
import { words } from './texts.ts';

interface DeskProps {
  contact: Contact;
  session: Session;
  /** Called after a change. */
  changed: () => void;
  /** Whether the form of a note is as small as possible. */
  isBrief?: boolean;
}

/** Labels of a contact, and notes that agents write for each other. */
export function ContactDesk({ contact, session, changed, isBrief = false }: DeskProps) {
  const { id, labels = [], notes = [] } = contact;
  const change = async (part: { add?: string[]; remove?: string[] }) => {
    await client.call('POST /contacts/{id}/labels', { path: { id }, body: part });
    changed();
  };
  return (
    <>
      <EditableLabels
        name={words.contactLabel}
        labels={labels}
        known={useKnownLabels()}
        add={(label) => change({ add: [label] })}
        remove={(label) => change({ remove: [label] })}
      />
      <h3>{words.notes}</h3>
      {notes.length === 0 ? null : <Notes notes={notes} {...{ contact, session, changed }} />}
      <NoteForm key={id} contact={id} changed={changed} isBrief={isBrief} />
    </>
  );
}

const LABELLED = { select: 'labels', labels: '', sort: '-id', limit: 500 };

function useKnownLabels(): string[] {
  const { value: labelled = [] } = useQuery('GET /contacts', { query: LABELLED });
  return [...new Set(labelled.flatMap(({ labels = [] }) => labels))].sort((a, b) => a.localeCompare(b));
}

function Notes({ contact, session, changed, notes }: DeskProps & { notes: NonNullable<Contact['notes']> }) {
  const { value: people = [] } = useColleagues(session, contact.organization);
  const names = new Map(people.map(({ id, name }) => [id, name]));
  const nameAuthor = (user: string) =>
    user === session.user ? INBOX_WORDS.me : (names.get(user) ?? INBOX_WORDS.somebody);
  const remove = async (note: string) => {
    await client.call('DELETE /contacts/{id}/notes/{note}', { path: { id: contact.id, note } });
    changed();
  };
  return (
    <ul class="contact-notes" aria-label={words.notes}>
      {[...notes].reverse().map(({ id, text, user, createdAt }) => (
        <li key={id}>
          <p class="note-text">{text}</p>
          <p class="hint">
            <bdi>{nameAuthor(user)}</bdi> · <Time at={createdAt} />
            {user === session.user || session.scope === 'admin' ? (
              <ConfirmButton
                word={words.deleteNote}
                title={words.deleteNoteTitle}
                confirm={words.deleteNote}
                class="quiet"
                act={() => remove(id)}
              >
                <blockquote>{text}</blockquote>
              </ConfirmButton>
            ) : null}
          </p>
        </li>
      ))}
    </ul>
  );
}

interface NoteFormProps extends Required<Pick<DeskProps, 'changed' | 'isBrief'>> {
  contact: string;
}

function NoteForm({ contact, changed, isBrief }: NoteFormProps) {
  const [text, setText] = useState('');
  const submit = async () => {
    await client.call('POST /contacts/{id}/notes', { path: { id: contact }, body: { text } });
    setText('');
    changed();
  };
  return (
    <ActionForm word={words.addNote} look="plain" field="text" submit={submit}>
      <TextField
        label={words.newNote}
        hint={isBrief ? undefined : words.noteHint}
        path="text"
        required
        rows={isBrief ? 1 : 3}
        maxLength={MAX_NOTE_CHARACTERS}
        value={text}
        set={setText}
      />
    </ActionForm>
  );
}

/** Labels and notes of the contact of a conversation. */
export function ConversationContactDesk({ contact, session }: { contact: string; session: Session }) {
  const { value, again } = useQuery('GET /contacts', { query: { id: contact } });
  const [found] = value ?? [];
  return found ? <ContactDesk contact={found} session={session} changed={again} isBrief /> : null;
}
