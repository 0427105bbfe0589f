import type { Service } from '@parlance/client';
import { useState } from 'preact/hooks';
import { formatMoment, nameTouchpoint } from '../inbox/texts.ts';
import { Button } from '../parts/button.tsx';
import { ConfirmButton, DialogButton } from '../parts/dialog.tsx';
import { TextField } from '../parts/fields.tsx';
import { ActionForm, useFields } from '../parts/form.tsx';
import { Pending, Problem } from '../parts/notices.tsx';
import { Time } from '../parts/time.tsx';
import { goTo } from '../route.ts';
import { client } from '../session.ts';
import type { Session } from '../session.ts';
import { channels as CHANNEL_WORDS } from './texts.ts';
import { webhooks as WEBHOOK_WORDS } from '../webhooks/texts.ts';
import { TEXTS } from '../texts.ts';
import { useAction } from '../use-action.ts';
import { useLoad, useQuery } from '../use-query.ts';
import { DeliveryLog } from '../webhooks/deliveries.tsx';
import { Replay } from '../webhooks/service.tsx';
import { ChannelForm } from './form.tsx';
import { TestMessage } from './test-message.tsx';
import { describeState, findChannelType, listShown, nameType, readValues } from './types.ts';
import type { ChannelField } from './fields.ts';

const LOOK_MS = 3_000;

export function ChannelPage({ id, session }: { id: string; session: Session }) {
  const query = useQuery('GET /services/{id}', { path: { id }, everyMs: LOOK_MS });
  if (!query.value) return <Pending query={query} />;
  const channel = query.value;
  const { kind, word, why, what } = describeState(channel);
  const words = CHANNEL_WORDS;
  return (
    <section>
      <header class="head">
        <h1>{channel.name}</h1>
        <span class={`badge ${kind}`}>{word}</span>
      </header>
      {why === undefined && what === undefined ? null : (
        <div class={kind === 'failed' || kind === 'failing' ? 'problem' : 'warning'} role="status">
          {why === undefined ? null : <p>{why}</p>}
          {what === undefined ? null : <p>{what}</p>}
          <Waiting service={id} />
        </div>
      )}
      <About channel={channel} />
      <Commands channel={channel} session={session} changed={query.replace} />
      <h2>{words.test}</h2>
      <TestMessage channel={channel} />
      <h2>{words.messages}</h2>
      <DeliveryLog service={id} isChannel />
    </section>
  );
}

/** Shows how many messages wait for the channel, and since when. */
function Waiting({ service }: { service: string }) {
  const query = { service, direction: '!=in', status: 'pending', sort: 'createdAt', limit: 1 };
  const { value } = useLoad(
    `waiting ${service}`,
    (signal) => client.callWithResponse('GET /deliveries', { query, signal }),
    LOOK_MS,
  );
  const [oldest] = value?.body ?? [];
  if (!value || !oldest) return null;
  const count = Number(value.headers.get('X-Total'));
  return <p>{CHANNEL_WORDS.waiting(count, formatMoment(oldest.createdAt))}</p>;
}

function About({ channel }: { channel: Service }) {
  const words = CHANNEL_WORDS;
  const { type, touchpoint = '', verifiedAs, verifiedAt, inboundUrl, inboundAddress, dkimRecord } = channel;
  const found = findChannelType(type);
  const values = found ? readValues(found, channel) : {};
  const fields = found ? listShown(found, values) : [];
  const shown = fields.filter(
    ({ name, type: kind }) => values[name] && kind !== 'touchpoint' && kind !== 'choice',
  );
  const label = (name: string) => words.fields[type]?.[name]?.label ?? name;
  return (
    <dl class="pairs channel-facts">
      <Fact name={words.type}>{nameType(type)}</Fact>
      <Fact name={words.touchpoint}>{nameTouchpoint(touchpoint)}</Fact>
      {verifiedAs === undefined ? null : <Fact name={words.verifiedAs}>{verifiedAs}</Fact>}
      {shown.map(({ name }) => (
        <Fact key={name} name={label(name)}>
          {values[name]}
        </Fact>
      ))}
      {inboundAddress === undefined ? null : (
        <Fact name={words.inboundUrl}>
          {inboundAddress} <span class="hint">{words.forwardHint(channel.params.address ?? '')}</span>
          <br />
          <span class="hint">{words.forwardByPostfix}</span>
          <br />
          <code>
            {channel.params.address} {inboundAddress}
          </code>
        </Fact>
      )}
      {inboundUrl === undefined ? null : (
        <Fact name={type === 'email' ? words.mailUrl : words.inboundUrl}>
          {inboundUrl} <span class="hint">{type === 'email' ? words.mailUrlHint : words.inboundHint}</span>
        </Fact>
      )}
      {dkimRecord === undefined ? null : (
        <Fact name={words.dkimRecord}>
          <code>{dkimRecord.name}</code>
          <br />
          <code>{dkimRecord.value}</code>
          <br />
          <span class="hint">{words.dkimHint}</span>
        </Fact>
      )}
      {verifiedAt === undefined ? null : (
        <Fact name={words.verified}>
          <Time at={verifiedAt} />
        </Fact>
      )}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: preact.ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface CommandsProps {
  channel: Service;
  session: Session;
  changed: (channel: Service) => void;
}

function Commands({ channel, session, changed }: CommandsProps) {
  const words = CHANNEL_WORDS;
  const { isRunning, error, run } = useAction();
  const { id, name } = channel;
  const path = { id };
  const type = findChannelType(channel.type);
  const isOff = channel.status === 'disabled';
  const patch = async (body: { name?: string; params?: Service['params']; status?: 'active' | 'disabled' }) =>
    changed(await client.call('PATCH /services/{id}', { path, body }));
  const button = (word: string, act: () => Promise<void>) => (
    <Button word={word} disabled={isRunning} press={() => run(act)} />
  );
  return (
    <div class="commands" role="group" aria-label={words.commands}>
      {isOff
        ? null
        : button(words.verify, async () =>
            changed(await client.call('POST /services/{id}/verify', { path })),
          )}
      {type ? (
        <DialogButton word={TEXTS.edit} disabled={isRunning}>
          {(close) => (
            <ChannelForm
              {...{ type, session, channel }}
              word={TEXTS.save}
              save={(body) => patch(body).then(close)}
            />
          )}
        </DialogButton>
      ) : null}
      {type?.fields
        .filter(({ isSecret, name: secret }) => isSecret && channel.secrets?.includes(secret))
        .map((field) => (
          <ReplaceSecret key={field.name} {...{ channel, field }} save={(params) => patch({ params })} />
        ))}
      {button(isOff ? words.on : words.off, () => patch({ status: isOff ? 'active' : 'disabled' }))}
      <DialogButton word={WEBHOOK_WORDS.replay} disabled={isRunning || isOff}>
        {() => <Replay id={id} again={words.sendTwice} />}
      </DialogButton>
      <ConfirmButton
        word={TEXTS.delete}
        class="danger"
        title={words.deleteTitle(name)}
        disabled={isRunning}
        act={async () => {
          await client.call('DELETE /services/{id}', { path });
          goTo('channels');
        }}
      >
        <p>{words.deleteWhat}</p>
      </ConfirmButton>
      <Problem error={error} />
    </div>
  );
}

interface ReplaceProps {
  channel: Service;
  field: ChannelField;
  save: (params: Service['params']) => Promise<void>;
}

function ReplaceSecret({ channel, field: { name, initial }, save }: ReplaceProps) {
  const words = CHANNEL_WORDS;
  const label = words.fields[channel.type]?.[name]?.label ?? name;
  return (
    <DialogButton word={words.replaceSecret(label)}>
      {(close) => (
        <SecretForm
          {...{ name, label }}
          initial={initial?.() ?? ''}
          save={(secret) => save({ ...channel.params, [name]: secret }).then(close)}
        />
      )}
    </DialogButton>
  );
}

interface SecretFormProps {
  name: string;
  label: string;
  initial: string;
  save: (secret: string) => Promise<void>;
}

function SecretForm({ name, label, initial, save }: SecretFormProps) {
  const words = CHANNEL_WORDS;
  const { values, bind } = useFields({ secret: initial });
  const [done, setDone] = useState<string>();
  const submit = () => save(values.secret).then(() => setDone(words.replaced));
  return (
    <ActionForm word={words.replaceSecret(label)} submit={submit} done={done}>
      <p>{words.replaceWhat}</p>
      <TextField
        label={words.newSecret(label)}
        required
        autocomplete="off"
        type={initial === '' ? 'password' : 'text'}
        {...bind('secret', `params.${name}`)}
      />
    </ActionForm>
  );
}
