import type { TimelineMessage } from '@parlance/client';
import { useState } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import { DialogButton } from '../parts/dialog.tsx';
import { SelectField, TextField } from '../parts/fields.tsx';
import { ActionForm, useFields } from '../parts/form.tsx';
import { Problem } from '../parts/notices.tsx';
import { client } from '../session.ts';
import type { Session } from '../session.ts';
import { TEXTS } from '../texts.ts';
import { useAction } from '../use-action.ts';
import { useQuery } from '../use-query.ts';
import { getUserId, getUserName } from './conversation.ts';
import type { InboxConversation } from './conversation.ts';

interface Props {
  conversation: InboxConversation;
  session: Session;
  done: () => void;
}

/** Each action posts a command (spec 6.5). */
export function Actions({ conversation, session, done }: Props) {
  const { isRunning, error, run } = useAction();
  const me = conversation.participants.find(({ user }) => getUserId(user) === session.user);
  const command = async (text: string, meta?: TimelineMessage['meta']) => {
    const body = { type: 'command', text, meta } as const;
    await client.call('POST /conversations/{id}/messages', { path: { id: conversation.id }, body });
    done();
  };
  const button = (word: string, text: string) => (
    <Button word={word} disabled={isRunning} press={() => run(() => command(text))} />
  );
  const words = TEXTS.inbox;
  return (
    <div class="commands" role="group" aria-label={words.commands}>
      {me?.accepted ? button(words.leave, '/leave') : button(words.accept, '/accept')}
      {me ? null : button(words.join, '/join')}
      <DialogButton word={words.assign}>
        {(close) => (
          <Assign
            conversation={conversation}
            session={session}
            assign={(user) => command('/assign', { users: [user] }).then(close)}
          />
        )}
      </DialogButton>
      {button(words.notify, '/notify')}
      <DialogButton word={words.set}>
        {(close) => <Set set={(text) => command(text).then(close)} />}
      </DialogButton>
      <Problem error={error} />
    </div>
  );
}

type AssignProps = Omit<Props, 'done'> & { assign: (user: string) => Promise<void> };

/** Agents may not list users, so they choose among the participants. */
function Assign({ conversation, session, assign }: AssignProps) {
  const mayList = session.scope !== 'agent';
  const query = { select: 'name,role', limit: 1000 };
  const { value: staff = [] } = useQuery(mayList ? 'GET /users' : null, { query });
  const known = conversation.participants.map(({ user }) => ({
    value: getUserId(user),
    text: getUserName(user),
  }));
  const listed = staff.map(({ id, name, role }) => ({ value: id, text: `${name} (${role})` }));
  const me = { value: session.user, text: TEXTS.inbox.me };
  const others = (mayList ? listed : known).filter(({ value }) => value !== session.user);
  const [user, setUser] = useState(session.user);
  return (
    <ActionForm word={TEXTS.inbox.assign} field="meta.users" submit={() => assign(user)}>
      <SelectField
        label={TEXTS.inbox.assignTo}
        path="meta.users"
        value={user}
        set={setUser}
        options={[me, ...others]}
      />
    </ActionForm>
  );
}

const PROPERTIES = ['status', 'category', 'language', 'name', 'meta'];

function Set({ set }: { set: (text: string) => Promise<void> }) {
  const words = TEXTS.inbox;
  const { values, bind } = useFields({ property: 'status', key: '', value: '' });
  const { property, key, value } = values;
  const name = property === 'meta' ? `meta.${key}` : `@${property}`;
  return (
    <ActionForm word={words.set} field="text" submit={() => set(`/set ${name} ${value}`.trim())}>
      <SelectField label={words.property} {...bind('property')} options={PROPERTIES} />
      {property === 'meta' ? <TextField label={words.key} required {...bind('key')} /> : null}
      <TextField label={words.value} hint={words.valueHint} {...bind('value', 'text')} />
    </ActionForm>
  );
}
