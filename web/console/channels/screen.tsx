import type { Service } from '@parlance/client';
import { useState } from 'preact/hooks';
import { nameTouchpoint } from '../inbox/texts.ts';
import { Button } from '../parts/button.tsx';
import { ListSection, Table } from '../parts/table.tsx';
import type { TableShape } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { formatHref, goTo } from '../route.ts';
import type { ScreenProps } from '../route.ts';
import { client } from '../session.ts';
import type { Session } from '../session.ts';
import { channels as CHANNEL_WORDS } from './texts.ts';
import { TEXTS } from '../texts.ts';
import { useQuery } from '../use-query.ts';
import { DeliveryPage, nameMessageStatus } from '../webhooks/deliveries.tsx';
import { describeOutcome } from '../webhooks/webhook.ts';
import { ChannelPage } from './channel-page.tsx';
import { ChannelForm } from './form.tsx';
import { CHANNEL_TYPES, describeState, nameType } from './types.ts';
import type { ChannelType } from './types.ts';

export function ChannelsScreen({ session, place: [id, delivery] }: ScreenProps) {
  return (
    <div class="page">
      {id === undefined ? (
        <Channels session={session} />
      ) : delivery === undefined ? (
        <ChannelPage key={id} id={id} session={session} />
      ) : (
        <DeliveryPage key={delivery} id={delivery} />
      )}
    </div>
  );
}

const LOOK_MS = 5_000;

const describeChannels = (): TableShape<Service> => ({
  empty: CHANNEL_WORDS.none,
  columns: [
    { title: TEXTS.name, cell: ({ id, name }) => <a href={formatHref('channels', id)}>{name}</a> },
    {
      title: CHANNEL_WORDS.state,
      cell: (service) => {
        const { kind, word, why } = describeState(service);
        return (
          <>
            <span class={`badge ${kind}`}>{word}</span>
            {why === undefined ? null : <p class="hint">{why}</p>}
          </>
        );
      },
    },
    { title: CHANNEL_WORDS.last, cell: ({ id }) => <LastMessage channel={id} /> },
    { title: CHANNEL_WORDS.type, cell: ({ type }) => nameType(type) },
    { title: CHANNEL_WORDS.touchpoint, cell: ({ touchpoint = '' }) => nameTouchpoint(touchpoint) },
  ],
});

function Channels({ session }: { session: Session }) {
  const query = useQuery('GET /services', {
    query: { type: '!=webhook', limit: 1000 },
    everyMs: LOOK_MS,
  });
  return (
    <ListSection
      title={TEXTS.screens.channels}
      add={CHANNEL_WORDS.add}
      form={(close) => <NewChannel session={session} close={close} />}
      query={query}
    >
      {(channels) => <Table {...describeChannels()} items={channels} />}
    </ListSection>
  );
}

function LastMessage({ channel }: { channel: string }) {
  const query = { service: channel, sort: '-createdAt', limit: 1 };
  const { value } = useQuery('GET /deliveries', { query, everyMs: LOOK_MS });
  const [last] = value ?? [];
  if (!last) return <>{value ? CHANNEL_WORDS.nothingYet : ''}</>;
  const { id, status, createdAt } = last;
  return (
    <>
      <a
        class={status === 'delivered' ? undefined : `badge ${status}`}
        href={formatHref('channels', channel, id)}
      >
        {nameMessageStatus(last)}
      </a>{' '}
      <Time at={createdAt} />
      {status === 'failed' ? <FailureReason delivery={id} /> : null}
    </>
  );
}

function FailureReason({ delivery }: { delivery: string }) {
  const { value } = useQuery('GET /deliveries/{id}', { path: { id: delivery } });
  const attempt = value?.attempts.at(-1);
  return attempt ? <p class="hint">{describeOutcome(attempt)}</p> : null;
}

function NewChannel({ session, close }: { session: Session; close: () => void }) {
  const [type, setType] = useState<ChannelType>();
  const words = CHANNEL_WORDS;
  if (!type) {
    return (
      <>
        <p>{words.choose}</p>
        <ul class="channel-types">
          {CHANNEL_TYPES.map((one) => (
            <li key={one.type}>
              <button type="button" onClick={() => setType(one)}>
                <strong>{nameType(one.type)}</strong>
                <span>{words.types[one.type]?.what}</span>
              </button>
            </li>
          ))}
        </ul>
      </>
    );
  }
  return (
    <>
      <header class="head">
        <h3>{nameType(type.type)}</h3>
        <Button word={words.back} class="quiet" press={() => setType(undefined)} />
      </header>
      <ChannelForm
        key={type.type}
        type={type}
        session={session}
        word={words.add}
        save={async (body) => {
          const { id } = await client.call('POST /services', { body: { ...body, type: type.type } });
          close();
          goTo('channels', id);
        }}
      />
    </>
  );
}
