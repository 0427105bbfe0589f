import type { Service } from '@parlance/client';
import { useState } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import { ConfirmButton, DialogButton } from '../parts/dialog.tsx';
import { SelectField, TextField } from '../parts/fields.tsx';
import { ActionForm, useFields } from '../parts/form.tsx';
import { Pending, Problem } from '../parts/notices.tsx';
import { Copyable, SinceField, timeBefore } from '../parts/tabs.tsx';
import { Time } from '../parts/time.tsx';
import { goTo } from '../route.ts';
import { client } from '../session.ts';
import { webhooks as WEBHOOK_WORDS } from './texts.ts';
import { TEXTS } from '../texts.ts';
import { useAction } from '../use-action.ts';
import { useQuery } from '../use-query.ts';
import { DeliveryLog } from './deliveries.tsx';
import { EventsField } from './events-field.tsx';
import { describeHealth, describeOutcome, newSecret, parseEvents } from './webhook.ts';

const LOOK_MS = 3_000;

export function ServicePage({ id }: { id: string }) {
  const query = useQuery('GET /services/{id}', { path: { id }, everyMs: LOOK_MS });
  if (!query.value) return <Pending query={query} />;
  const { name, params, verifiedAt } = query.value;
  const health = describeHealth(query.value);
  return (
    <section>
      <header class="head">
        <h1>{name}</h1>
        <span class={`badge ${health.kind}`}>{health.words}</span>
      </header>
      <dl class="pairs">
        <div>
          <dt>{WEBHOOK_WORDS.url}</dt>
          <dd>{params.url ?? WEBHOOK_WORDS.pulled}</dd>
        </div>
        <div>
          <dt>{WEBHOOK_WORDS.events}</dt>
          <dd>{params.events?.join(', ') ?? WEBHOOK_WORDS.allEvents}</dd>
        </div>
        {verifiedAt ? (
          <div>
            <dt>{WEBHOOK_WORDS.verified}</dt>
            <dd>
              <Time at={verifiedAt} />
            </dd>
          </div>
        ) : null}
      </dl>
      <LastError service={id} />
      <ServiceCommands service={query.value} changed={query.replace} />
      <h2>{WEBHOOK_WORDS.deliveries}</h2>
      <DeliveryLog service={id} />
    </section>
  );
}

function LastError({ service }: { service: string }) {
  const query = { service, status: '[pending,failed]', sort: '-createdAt', limit: 1 };
  const { value: [newest] = [] } = useQuery('GET /deliveries', { query, everyMs: LOOK_MS });
  const wasTried = newest !== undefined && newest.attemptCount > 0;
  const path = { id: newest?.id ?? '' };
  const { value } = useQuery(wasTried ? 'GET /deliveries/{id}' : null, { path });
  const attempt = value?.attempts.at(-1);
  if (!attempt || attempt.outcome === 'delivered') return null;
  return (
    <p class="problem">
      {WEBHOOK_WORDS.lastError} {describeOutcome(attempt)} <Time at={attempt.at} />
    </p>
  );
}

interface CommandsProps {
  service: Service;
  changed: (service: Service) => void;
}

function ServiceCommands({ service, changed }: CommandsProps) {
  const words = WEBHOOK_WORDS;
  const { isRunning, error, run } = useAction();
  const [sample, setSample] = useState<Parameters<typeof describeOutcome>[0]>();
  const path = { id: service.id };
  const change: DialogProps['change'] = async (body) =>
    changed(await client.call('PATCH /services/{id}', { path, body }));
  const status = service.status === 'disabled' ? 'active' : 'disabled';
  const button = (word: string, act: () => Promise<void>) => (
    <Button word={word} disabled={isRunning} press={() => run(act)} />
  );
  const dialog = { service, change, disabled: isRunning };
  return (
    <div class="commands" role="group" aria-label={words.commands}>
      {button(words.test, async () => setSample(await sendSample(service.id)))}
      {button(words.verify, async () => changed(await client.call('POST /services/{id}/verify', { path })))}
      {button(status === 'active' ? words.resume : words.pause, () => change({ status }))}
      <DialogButton word={words.replay} disabled={isRunning}>
        {() => <Replay id={service.id} />}
      </DialogButton>
      <Rotate {...dialog} />
      <DialogButton word={words.showSecret} title={words.secret} disabled={isRunning}>
        {() => <Copyable label={words.secret} text={service.params.secret ?? ''} />}
      </DialogButton>
      <DialogButton word={TEXTS.edit} disabled={isRunning}>
        {(close) => <Edit service={service} change={change} close={close} />}
      </DialogButton>
      <Deletion {...dialog} />
      <Problem error={error} />
      {sample ? (
        <p role="status" class={sample.outcome === 'delivered' ? 'good' : 'problem'}>
          {words.sample} {describeOutcome(sample)} · {Math.round(sample.durationMs)} ms
        </p>
      ) : null}
    </div>
  );
}

/** Without an event in the body, the response has the outcome. */
async function sendSample(id: string) {
  const sent = await client.call('POST /services/{id}/test', { path: { id } });
  const { outcome = '', durationMs = 0 } = sent;
  return { ...sent, outcome, durationMs };
}

interface DialogProps {
  service: Service;
  change: (
    patch: Partial<Pick<Service, 'name'>> & {
      params?: { [K in keyof Service['params']]: Service['params'][K] | undefined };
      status?: 'active' | 'disabled';
    },
  ) => Promise<void>;
  disabled: boolean;
}

const REPLAYED = ['failed', 'skipped', 'delivered'] as const;

/** `again` warns of a replay of delivered messages. */
export function Replay({ id, again }: { id: string; again?: string }) {
  const words = WEBHOOK_WORDS;
  const [hours, setHours] = useState('24');
  const { values, bind } = useFields({ status: '' });
  const [done, setDone] = useState<string>();
  const replay = async () => {
    const body = { since: timeBefore(hours), status: REPLAYED.find((one) => one === values.status) };
    const { replayed, pending } = await client.call('POST /services/{id}/replay', { path: { id }, body });
    setDone(words.replayed(replayed, pending));
  };
  const options = REPLAYED.map((value) => ({ value, text: TEXTS.deliveryStatuses[value] ?? value }));
  return (
    <ActionForm word={words.replay} submit={replay} done={done}>
      <SinceField hours={hours} set={setHours} />
      <SelectField
        label={words.replayWhat}
        {...bind('status')}
        options={[{ value: '', text: words.missed }, ...options]}
        hint={values.status === 'delivered' ? again : undefined}
      />
    </ActionForm>
  );
}

function Rotate({ service, change, disabled }: DialogProps) {
  const words = WEBHOOK_WORDS;
  const [secret, setSecret] = useState(newSecret);
  const rotate = async () => {
    await change({ params: { ...service.params, secret } });
    setSecret(newSecret());
  };
  return (
    <ConfirmButton word={words.rotate} disabled={disabled} act={rotate}>
      <p>{words.rotateWhat}</p>
      <Copyable label={words.secret} text={secret} />
    </ConfirmButton>
  );
}

function Edit({ service, change, close }: Omit<DialogProps, 'disabled'> & { close: () => void }) {
  const words = WEBHOOK_WORDS;
  const { values, bind } = useFields({
    name: service.name,
    url: service.params.url ?? '',
    events: service.params.events?.join('\n') ?? '',
  });
  const save = async () => {
    const { name, url, events } = values;
    const params = { ...service.params, url: url || undefined, events: parseEvents(events) };
    await change({ name, params });
    close();
  };
  return (
    <ActionForm word={TEXTS.save} submit={save}>
      <TextField label={TEXTS.name} required {...bind('name')} />
      <TextField
        label={words.url}
        type="url"
        required={service.params.url !== undefined}
        {...bind('url', 'params.url')}
      />
      <EventsField {...bind('events', 'params.events')} />
    </ActionForm>
  );
}

function Deletion({ service: { id, name }, disabled }: DialogProps) {
  const remove = async () => {
    await client.call('DELETE /services/{id}', { path: { id } });
    goTo('webhooks', 'services');
  };
  return (
    <ConfirmButton
      word={TEXTS.delete}
      title={WEBHOOK_WORDS.deleteTitle(name)}
      disabled={disabled}
      act={remove}
    >
      <p>{WEBHOOK_WORDS.deleteWhat}</p>
    </ConfirmButton>
  );
}
