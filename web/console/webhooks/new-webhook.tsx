import { useState } from 'preact/hooks';
import { Dialog } from '../parts/dialog.tsx';
import { SelectField, TextField } from '../parts/fields.tsx';
import { Form, FormProblem } from '../parts/form.tsx';
import { ReferenceField } from '../records/references.tsx';
import { api } from '../request.ts';
import { goTo } from '../route.ts';
import { TEXTS } from '../texts.ts';
import { useAction } from '../use-action.ts';
import { useQuery } from '../use-asked.ts';
import { parseEvents, newSecret } from './webhook.ts';
import type { WebhookService } from './webhook.ts';

interface WebhookInput {
  name: string;
  url: string;
  /** A pattern on each line. */
  events: string;
  /** Empty: one's own. */
  organization: string;
  /** Empty without a bot. */
  user: string;
  secret: string;
}

function emptyWebhookInput(): WebhookInput {
  return { name: '', url: '', events: '', organization: '', user: '', secret: newSecret() };
}

function buildBody({ name, url, events, organization, user, secret }: WebhookInput): object {
  const params = { url, secret, ...parseEvents(events) };
  const of = { ...(organization === '' ? {} : { organization }), ...(user === '' ? {} : { user }) };
  return { name, type: 'webhook', ...of, params };
}

/** Registers a webhook, which is verified before one's eyes. */
export function NewWebhook({ close }: { close: () => void }) {
  const [given, setGiven] = useState(emptyWebhookInput);
  const action = useAction();
  const set = (field: keyof WebhookInput) => (value: string) => setGiven({ ...given, [field]: value });
  const create = () =>
    action.run(async () => {
      const { id } = (await api<WebhookService>('POST', '/services', { body: buildBody(given) })).body;
      close();
      goTo('webhooks', 'services', id);
    });
  return (
    <Dialog title={TEXTS.webhooks.add} close={close}>
      <Form error={action.error} submit={create}>
        <Fields given={given} set={set} />
        <FormProblem />
        <Submit isRunning={action.isRunning} />
      </Form>
    </Dialog>
  );
}

interface FieldsProps {
  given: WebhookInput;
  set: (field: keyof WebhookInput) => (value: string) => void;
}

function Fields({ given, set }: FieldsProps) {
  const words = TEXTS.webhooks;
  return (
    <>
      <TextField label={TEXTS.name} path="name" required value={given.name} set={set('name')} />
      <TextField
        label={words.url}
        path="params.url"
        type="url"
        required
        value={given.url}
        set={set('url')}
        hint={words.urlHint}
      />
      <TextField
        label={words.events}
        path="params.events"
        rows={3}
        value={given.events}
        set={set('events')}
        hint={words.eventsHint}
      />
      <ReferenceField
        label={words.organization}
        path="organization"
        of="organizations"
        value={given.organization}
        set={set('organization')}
      />
      <BotField value={given.user} set={set('user')} />
      <TextField
        label={words.secret}
        path="params.secret"
        value={given.secret}
        set={set('secret')}
        hint={words.secretHint}
      />
    </>
  );
}

function Submit({ isRunning }: { isRunning: boolean }) {
  return (
    <button type="submit" class="main" disabled={isRunning}>
      {isRunning ? TEXTS.webhooks.verifying : TEXTS.webhooks.addAndVerify}
    </button>
  );
}

function BotField({ value, set }: { value: string; set: (user: string) => void }) {
  const { value: bots = [] } = useQuery<{ id: string; name: string }[]>(
    '/users?role=bot&select=name&limit=1000',
  );
  const none = { value: '', text: TEXTS.webhooks.noBot };
  return (
    <SelectField
      label={TEXTS.webhooks.bot}
      path="user"
      value={value}
      set={set}
      hint={TEXTS.webhooks.botHint}
      options={[none, ...bots.map(({ id, name }) => ({ value: id, text: name }))]}
    />
  );
}
