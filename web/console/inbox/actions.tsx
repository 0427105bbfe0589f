import { useState } from 'preact/hooks';
import { Dialog } from '../parts/dialog.tsx';
import { SelectField, TextField } from '../parts/fields.tsx';
import { Form, FormProblem } from '../parts/form.tsx';
import { Problem } from '../parts/notices.tsx';
import { api } from '../request.ts';
import type { Session } from '../session.ts';
import { TEXTS } from '../texts.ts';
import { useAction } from '../use-action.ts';
import { useQuery } from '../use-query.ts';
import { getUserId, getUserName } from './conversation.ts';
import type { Conversation } from './conversation.ts';

interface Props {
  conversation: Conversation;
  session: Session;
  done: () => void;
}

/** Each action posts a command (spec 6.5). */
export function Actions({ conversation, session, done }: Props) {
  const action = useAction();
  const [open, setOpen] = useState<'assign' | 'set'>();
  const me = conversation.participants.find(({ user }) => getUserId(user) === session.user);
  const command = async (text: string, meta?: object) => {
    await api('POST', `/conversations/${conversation.id}/messages`, {
      body: { type: 'command', text, ...(meta ? { meta } : {}) },
    });
    done();
  };
  const button = (word: string, text: string) => (
    <button type="button" disabled={action.isRunning} onClick={() => void action.run(() => command(text))}>
      {word}
    </button>
  );
  return (
    <div class="commands" role="group" aria-label={TEXTS.inbox.commands}>
      {me?.accepted ? button(TEXTS.inbox.leave, '/leave') : button(TEXTS.inbox.accept, '/accept')}
      {me ? null : button(TEXTS.inbox.join, '/join')}
      <button type="button" onClick={() => setOpen('assign')}>
        {TEXTS.inbox.assign}
      </button>
      {button(TEXTS.inbox.notify, '/notify')}
      <button type="button" onClick={() => setOpen('set')}>
        {TEXTS.inbox.set}
      </button>
      <Problem error={action.error} />
      {open === 'assign' ? (
        <Assign
          conversation={conversation}
          session={session}
          assign={(users) => command('/assign', { users })}
          close={() => setOpen(undefined)}
        />
      ) : null}
      {open === 'set' ? <Set set={(text) => command(text)} close={() => setOpen(undefined)} /> : null}
    </div>
  );
}

interface AssignProps extends Omit<Props, 'done'> {
  /** Throws ApiError. */
  assign: (users: string[]) => Promise<void>;
  close: () => void;
}

/** Agents may not list users, so they choose among the participants. */
function Assign({ conversation, session, assign, close }: AssignProps) {
  const mayList = session.scope !== 'agent';
  const { value: staff } = useQuery<{ id: string; name: string; role: string }[]>(
    mayList ? '/users?select=name,role&limit=1000' : null,
  );
  const known = conversation.participants.map(({ user }) => ({
    value: getUserId(user),
    text: getUserName(user),
  }));
  const listed = (staff ?? []).map(({ id, name, role }) => ({ value: id, text: `${name} (${role})` }));
  const me = { value: session.user, text: TEXTS.inbox.me };
  const others = (mayList ? listed : known).filter(({ value }) => value !== session.user);
  const [user, setUser] = useState(session.user);
  const action = useAction();
  const submit = async () => {
    if (await action.run(() => assign([user]))) close();
  };
  return (
    <Dialog title={TEXTS.inbox.assign} close={close}>
      <Form error={action.error} submit={submit} field="meta.users">
        <SelectField
          label={TEXTS.inbox.assignTo}
          path="meta.users"
          value={user}
          set={setUser}
          options={[me, ...others]}
        />
        <FormProblem />
        <button type="submit" class="main" disabled={action.isRunning}>
          {TEXTS.inbox.assign}
        </button>
      </Form>
    </Dialog>
  );
}

const PROPERTIES = ['status', 'category', 'language', 'name', 'meta'] as const;

/** `set` throws ApiError. */
function Set({ set, close }: { set: (text: string) => Promise<void>; close: () => void }) {
  const [property, setProperty] = useState<string>('status');
  const [key, setKey] = useState('');
  const [value, setValue] = useState('');
  const action = useAction();
  const submit = async () => {
    const name = property === 'meta' ? `meta.${key}` : `@${property}`;
    if (await action.run(() => set(`/set ${name} ${value}`.trim()))) close();
  };
  return (
    <Dialog title={TEXTS.inbox.set} close={close}>
      <Form error={action.error} submit={submit} field="text">
        <SelectField
          label={TEXTS.inbox.property}
          value={property}
          set={setProperty}
          options={PROPERTIES.map((one) => ({ value: one, text: one }))}
        />
        {property === 'meta' ? <TextField label={TEXTS.inbox.key} required value={key} set={setKey} /> : null}
        <TextField
          label={TEXTS.inbox.value}
          path="text"
          hint={TEXTS.inbox.valueHint}
          value={value}
          set={setValue}
        />
        <FormProblem />
        <button type="submit" class="main" disabled={action.isRunning}>
          {TEXTS.inbox.set}
        </button>
      </Form>
    </Dialog>
  );
}
