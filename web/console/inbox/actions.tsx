import type { TimelineMessage } from '@parlance/client';
import { useState } from 'preact/hooks';
import { BlockForm, setBlocked } from '../contacts/block.tsx';
import { words as CONTACT } from '../contacts/texts.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { SelectField, TextField } from '../parts/fields.tsx';
import { ActionForm, useFields } from '../parts/form.tsx';
import { Menu } from '../parts/menu.tsx';
import type { MenuItem } from '../parts/menu.tsx';
import { Pending, Problem } from '../parts/notices.tsx';
import { client } from '../session.ts';
import type { Session } from '../session.ts';
import { INBOX_WORDS } from './texts.ts';
import { useAction } from '../use-action.ts';
import { useQuery } from '../use-query.ts';
import { AssignForm } from './assign.tsx';
import { postCommand } from './commands.ts';
import { ACCEPT, CLOSE } from './slash.ts';
import { getTitle, getUserId } from './conversation.ts';
import type { InboxConversation } from './conversation.ts';
import { FindMessages } from './find-messages.tsx';
import { MomentForm } from './moments.tsx';

interface Props {
  conversation: InboxConversation;
  session: Session;
  done: () => void;
}

type Opened = 'block' | 'find' | 'assign' | 'snooze' | 'transcript' | 'set';

export function Actions({ conversation, session, done }: Props) {
  const words = INBOX_WORDS;
  const { isRunning, error, run } = useAction();
  const [opened, setOpened] = useState<Opened>();
  // A dialog that was opened while the command ran stays open.
  const post = (text: string) => void run(() => postCommand(conversation.id, text).then(done));
  const close = () => setOpened(undefined);
  const finish = () => {
    close();
    done();
  };
  const command = (text: string, meta?: TimelineMessage['meta']) =>
    postCommand(conversation.id, text, meta).then(finish);
  const { contact } = conversation;
  const person = typeof contact === 'object' ? contact : undefined;
  const unblock = () => person && void run(() => setBlocked(person, false).then(done));
  const forms = {
    block: () => (person ? <BlockForm contact={person} done={finish} /> : <></>),
    find: () => <FindMessages conversation={conversation} close={close} />,
    assign: () => (
      <AssignForm
        session={session}
        organization={conversation.organization}
        team={conversation.team}
        assign={(assignment) => command('/assign', assignment)}
      />
    ),
    snooze: () => (
      <MomentForm
        word={words.snooze}
        label={words.snoozeUntil}
        hint={words.snoozeHint}
        submit={(until) => command(`/snooze ${until}`)}
      />
    ),
    transcript: () => <TranscriptForm conversation={conversation.id} done={finish} />,
    set: () => <Set set={command} />,
  };
  return (
    <div class="actions-row" role="group" aria-label={words.commands}>
      <Button word={words.assign} press={() => setOpened('assign')} />
      <MainButton {...chooseMainAction(conversation, session.user)} isRunning={isRunning} post={post} />
      <Menu
        label={words.more}
        items={listFurtherActions(conversation, { user: session.user, post, setOpened, unblock })}
      >
        ⋯
      </Menu>
      {opened ? (
        <Dialog title={nameDialog(opened, conversation)} close={close}>
          {forms[opened]()}
        </Dialog>
      ) : null}
      <Problem error={error} />
    </div>
  );
}

function nameDialog(opened: Opened, conversation: InboxConversation): string {
  return opened === 'block' ? CONTACT.blockTitle(getTitle(conversation)) : INBOX_WORDS[opened];
}

interface MainProps {
  word: string;
  text: string;
  isRunning: boolean;
  post: (text: string) => void;
}

function MainButton({ word, text, isRunning, post }: MainProps) {
  // The second click of a double click on Take would close the conversation.
  const press = ({ detail }: MouseEvent) => {
    if (detail < 2) post(text);
  };
  return (
    <button type="button" class="main" disabled={isRunning} onClick={press}>
      {word}
    </button>
  );
}

/** Take, close or reopen. */
function chooseMainAction({ status, participants }: InboxConversation, user: string) {
  const words = INBOX_WORDS;
  if (status === 'closed') return { word: words.reopen, text: ACCEPT };
  const isMine = participants.some((one) => one.accepted && getUserId(one.user) === user);
  return isMine && status === 'active'
    ? { word: words.closeIt, text: CLOSE }
    : { word: words.take, text: ACCEPT };
}

interface FurtherActions {
  user: string;
  post: (text: string) => void;
  setOpened: (form: Opened) => void;
  unblock: () => unknown;
}

function listFurtherActions(
  { status, participants, snoozedUntil, contact }: InboxConversation,
  { user, post, setOpened, unblock }: FurtherActions,
): MenuItem[] {
  const words = INBOX_WORDS;
  const me = participants.find((one) => getUserId(one.user) === user);
  const item = (word: string, text: string): MenuItem => ({ word, press: () => post(text) });
  const snooze =
    snoozedUntil === undefined
      ? { word: words.snooze, press: () => setOpened('snooze') }
      : item(words.wake, '/wake');
  const block =
    typeof contact === 'object' && contact.blocked
      ? { word: CONTACT.unblock, press: unblock }
      : { word: CONTACT.block, press: () => setOpened('block') };
  return [
    ...(status === 'closed' ? [] : [snooze]),
    ...(status !== 'closed' && !(me?.accepted && status === 'active') ? [item(words.closeIt, CLOSE)] : []),
    me?.accepted ? item(words.leave, '/leave') : item(words.join, '/join'),
    item(words.notify, '/notify'),
    { word: words.find, press: () => setOpened('find') },
    { word: words.transcript, press: () => setOpened('transcript') },
    { word: words.set, press: () => setOpened('set') },
    ...(typeof contact !== 'object' ? [] : [block]),
  ];
}

const PROPERTIES = ['status', 'category', 'language', 'name', 'meta'];

function Set({ set }: { set: (text: string) => Promise<void> }) {
  const words = INBOX_WORDS;
  const { values, bind } = useFields({ property: 'status', key: '', value: '' });
  const { property, key, value } = values;
  const name = property === 'meta' ? `meta.${key}` : `@${property}`;
  return (
    <ActionForm word={words.set} field="text" submit={() => set(`/set ${name} ${value}`.trim())}>
      <SelectField
        label={words.property}
        {...bind('property')}
        options={PROPERTIES.map((value) => ({ value, text: words.properties[value] ?? value }))}
      />
      {property === 'meta' ? <TextField label={words.key} required {...bind('key')} /> : null}
      <TextField label={words.value} hint={words.valueHint} {...bind('value', 'text')} />
    </ActionForm>
  );
}

interface TranscriptProps {
  conversation: string;
  /** Called after the transcript was sent. */
  done: () => void;
}

/** Sends a transcript to the contact by mail, or downloads it (spec 6.13). */
function TranscriptForm({ conversation, done }: TranscriptProps) {
  const words = INBOX_WORDS;
  const path = { id: conversation };
  const { isRunning, error, run } = useAction();
  const query = useQuery('GET /conversations/{id}/carriers', { path });
  if (!query.value) return <Pending query={query} />;
  const mail = query.value.find(({ touchpoint, refusal }) => touchpoint === 'email' && !refusal);
  const create = () => client.call('POST /conversations/{id}/transcript', { path });
  const send = async (service: string) => {
    const { url } = await create();
    const body = { type: 'chat', role: 'agent', isBackchannel: false, text: url, service } as const;
    await client.call('POST /conversations/{id}/messages', { path, body });
    done();
  };
  const download = async () => {
    const { url } = await create();
    // The server's public host may differ from the address in use.
    location.assign(`f/${url.split('/f/').at(-1) ?? ''}`);
  };
  return (
    <>
      <p>{words.transcriptWhat}</p>
      {mail ? null : <p class="hint">{words.noMail}</p>}
      <p class="buttons">
        {mail ? (
          <Button
            word={words.transcriptTo(mail.address)}
            class="main"
            disabled={isRunning}
            press={() => run(() => send(mail.service))}
          />
        ) : null}
        <Button word={words.download} disabled={isRunning} press={() => run(download)} />
      </p>
      <Problem error={error} />
    </>
  );
}
