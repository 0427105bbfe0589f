import type { ScreenProps } from '../route.ts';
import { Tabs } from '../parts/tabs.tsx';
import { TEXTS } from '../texts.ts';
import { Deliveries } from './deliveries.tsx';
import { DeliveryPage } from './delivery.tsx';
import { ServicePage } from './service.tsx';
import { useState } from 'preact/hooks';
import { Empty, Loading, Problem } from '../parts/notices.tsx';
import { formatHref, goTo } from '../route.ts';
import { useQuery } from '../use-query.ts';
import { describeHealth, parseEvents, newSecret } from './webhook.ts';
import type { WebhookService } from './webhook.ts';
import { Dialog } from '../parts/dialog.tsx';
import { SelectField, TextField } from '../parts/fields.tsx';
import { Form, FormProblem } from '../parts/form.tsx';
import { ReferenceField } from '../records/references.tsx';
import { api } from '../request.ts';
import { useAction } from '../use-action.ts';

const TABS = [
  { name: 'services', title: TEXTS.webhooks.services },
  { name: 'deliveries', title: TEXTS.webhooks.deliveries },
];

export function WebhooksScreen({ place: [part = 'services', id] }: ScreenProps) {
  const isDeliveries = part === 'deliveries';
  return (
    <div class="page">
      <Tabs label={TEXTS.screens.webhooks} screen="webhooks" tabs={TABS} current={part} />
      {isDeliveries && id === undefined ? <Deliveries /> : null}
      {isDeliveries && id !== undefined ? <DeliveryPage key={id} id={id} /> : null}
      {!isDeliveries && id === undefined ? <Services /> : null}
      {!isDeliveries && id !== undefined ? <ServicePage key={id} id={id} /> : null}
    </div>
  );
}

const LOOK_MS = 5_000;

function Services() {
  const { value, error, again } = useQuery<WebhookService[]>('/services?limit=1000', { everyMs: LOOK_MS });
  const [isNew, setNew] = useState(false);
  return (
    <section>
      <header class="head">
        <h1>{TEXTS.webhooks.services}</h1>
        <button type="button" class="main" onClick={() => setNew(true)}>
          {TEXTS.webhooks.add}
        </button>
      </header>
      <Problem error={error} again={again} />
      {value ? <Table services={value} /> : error ? null : <Loading />}
      {isNew ? <NewWebhook close={() => setNew(false)} /> : null}
    </section>
  );
}

function Table({ services }: { services: readonly WebhookService[] }) {
  if (services.length === 0) return <Empty>{TEXTS.webhooks.none}</Empty>;
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{TEXTS.name}</th>
          <th scope="col">{TEXTS.webhooks.url}</th>
          <th scope="col">{TEXTS.webhooks.events}</th>
          <th scope="col">{TEXTS.webhooks.health}</th>
        </tr>
      </thead>
      <tbody>
        {services.map((service) => {
          const health = describeHealth(service);
          return (
            <tr key={service.id}>
              <th scope="row">
                <a href={formatHref('webhooks', 'services', service.id)}>{service.name}</a>
              </th>
              <td class="wide">{readHost(service.params.url)}</td>
              <td>{service.params.events?.join(', ') ?? TEXTS.webhooks.allEvents}</td>
              <td>
                <span class={`badge ${health.kind}`}>{health.words}</span>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function readHost(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

interface WebhookInput {
  name: string;
  url: string;
  events: string;
  /** Empty for the user's own organization. */
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

/** The server verifies a new webhook at once. */
function NewWebhook({ close }: { close: () => void }) {
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
