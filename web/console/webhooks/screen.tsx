import type { Service } from '@parlance/client';
import { SelectField, TextField } from '../parts/fields.tsx';
import { ActionForm, useFields } from '../parts/form.tsx';
import type { BindField } from '../parts/form.tsx';
import { ListSection, Table } from '../parts/table.tsx';
import type { TableShape } from '../parts/table.tsx';
import { Tabbed } from '../parts/tabs.tsx';
import { ReferenceField } from '../records/references.tsx';
import { useEffect } from 'preact/hooks';
import { formatHref, goTo, useRouteQuery } from '../route.ts';
import type { ScreenProps } from '../route.ts';
import { client } from '../session.ts';
import { webhooks as WEBHOOK_WORDS } from './texts.ts';
import { TEXTS } from '../texts.ts';
import { useQuery } from '../use-query.ts';
import { DeliveryLog, DeliveryPage } from './deliveries.tsx';
import { ServicePage } from './service.tsx';
import { EventsField } from './events-field.tsx';
import { describeHealth, newSecret, parseEvents } from './webhook.ts';

export function WebhooksScreen({ place }: ScreenProps) {
  const { services, deliveries } = WEBHOOK_WORDS;
  const deliveryLog = (
    <section>
      <h1>{deliveries}</h1>
      <DeliveryLog />
    </section>
  );
  return (
    <Tabbed
      label={TEXTS.screens.webhooks}
      screen="webhooks"
      place={place}
      tabs={[
        {
          name: 'services',
          title: services,
          list: () => <Services />,
          page: (id) => <ServicePage id={id} />,
        },
        {
          name: 'deliveries',
          title: deliveries,
          list: () => deliveryLog,
          page: (id) => <DeliveryPage id={id} />,
        },
      ]}
    />
  );
}

const LOOK_MS = 5_000;

const describeServices = (): TableShape<Service> => ({
  empty: WEBHOOK_WORDS.none,
  columns: [
    {
      title: TEXTS.name,
      cell: ({ id, name }) => <a href={formatHref('webhooks', 'services', id)}>{name}</a>,
    },
    {
      title: WEBHOOK_WORDS.url,
      class: 'wide',
      cell: ({ params: { url } }) => (url ? readHost(url) : WEBHOOK_WORDS.pulled),
    },
    {
      title: WEBHOOK_WORDS.events,
      cell: ({ params: { events } }) => events?.join(', ') ?? WEBHOOK_WORDS.allEvents,
    },
    {
      title: WEBHOOK_WORDS.health,
      cell: (service) => {
        const { kind, words } = describeHealth(service);
        return <span class={`badge ${kind}`}>{words}</span>;
      },
    },
  ],
});

function readHost(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

function Services() {
  const { organization } = useRouteQuery();
  const query = useQuery('GET /services', { query: { type: 'webhook', limit: 1000 }, everyMs: LOOK_MS });
  return (
    <ListSection
      title={WEBHOOK_WORDS.services}
      add={WEBHOOK_WORDS.add}
      isAdding={organization !== undefined}
      form={(close) => <NewWebhook close={close} organization={organization ?? ''} />}
      query={query}
    >
      {(services) => <Table {...describeServices()} items={services} />}
    </ListSection>
  );
}

/** If `organization` is empty, the webhook belongs to the organization of the signed-in user. */
function emptyWebhook(organization: string) {
  return { name: '', url: '', events: '', organization, user: '', secret: newSecret() };
}

function NewWebhook({ close, organization: first }: { close: () => void; organization: string }) {
  const words = WEBHOOK_WORDS;
  const { values, bind } = useFields(() => emptyWebhook(first));
  const create = async () => {
    const { name, url, events, organization, user, secret } = values;
    const { id } = await client.call('POST /services', {
      body: {
        name,
        type: 'webhook',
        organization: organization || undefined,
        user: user || undefined,
        params: { url, secret, events: parseEvents(events) },
      },
    });
    close();
    goTo('webhooks', 'services', id);
  };
  return (
    <ActionForm word={words.addAndVerify} runningWord={words.verifying} submit={create}>
      <TextField label={TEXTS.name} required {...bind('name')} />
      <TextField label={words.url} type="url" required hint={words.urlHint} {...bind('url', 'params.url')} />
      <EventsField {...bind('events', 'params.events')} />
      <ReferenceField label={words.organization} of="organizations" {...bind('organization')} />
      <BotField {...bind('user')} organization={values.organization} />
      <TextField label={words.secret} hint={words.secretHint} {...bind('secret', 'params.secret')} />
    </ActionForm>
  );
}

/** Proposes the only bot of an organization. */
function BotField({
  organization,
  ...field
}: ReturnType<BindField<{ user: string }>> & { organization: string }) {
  const query = { role: 'bot', select: 'name', limit: 1000, organization: organization || undefined };
  const { value: bots = [] } = useQuery('GET /users', { query });
  const [only, second] = organization === '' ? [] : bots;
  useEffect(() => {
    if (only && !second && field.value === '') field.set(only.id);
  }, [only?.id, second?.id]);
  const options = bots.map(({ id, name }) => ({ value: id, text: name }));
  const { bot, botHint, noBot } = WEBHOOK_WORDS;
  return (
    <SelectField label={bot} hint={botHint} {...field} options={[{ value: '', text: noBot }, ...options]} />
  );
}
