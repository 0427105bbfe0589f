import { useState } from 'preact/hooks';
import type { JSX } from 'preact';
import { Copyable, SinceField, timeBefore } from '../parts/tabs.tsx';
import { Confirm, Dialog } from '../parts/dialog.tsx';
import { SelectField, TextField } from '../parts/fields.tsx';
import { Form, FormProblem } from '../parts/form.tsx';
import { api } from '../request.ts';
import { goTo } from '../route.ts';
import { TEXTS } from '../texts.ts';
import { useAction } from '../use-action.ts';
import { parseEvents, newSecret } from './webhook.ts';
import type { WebhookService } from './webhook.ts';

interface Props {
  service: WebhookService;
  /** Throws ApiError. */
  change: (patch: object) => Promise<void>;
  close: () => void;
}

const DIALOGS = { replay: Replay, rotate: Rotate, secret: Secret, edit: Edit, delete: Deletion } as const;

export type DialogName = keyof typeof DIALOGS;

export function ServiceDialog({ name, ...props }: Props & { name: DialogName }): JSX.Element {
  const Chosen = DIALOGS[name];
  return <Chosen {...props} />;
}

function Secret({ service, close }: Props) {
  return (
    <Dialog title={TEXTS.webhooks.secret} close={close}>
      <Copyable label={TEXTS.webhooks.secret} text={service.params.secret ?? ''} />
    </Dialog>
  );
}

function Deletion({ service: { id, name }, close }: Props) {
  const remove = async () => {
    await api('DELETE', `/services/${id}`);
    goTo('webhooks', 'services');
  };
  return (
    <Confirm title={TEXTS.webhooks.deleteTitle(name)} word={TEXTS.delete} act={remove} close={close}>
      <p>{TEXTS.webhooks.deleteWhat}</p>
    </Confirm>
  );
}

function Replay({ service: { id }, close }: Props) {
  const [hours, setHours] = useState('24');
  const [status, setStatus] = useState('');
  const [done, setDone] = useState<{ replayed: number; pending: number }>();
  const action = useAction();
  const replay = () =>
    action.run(async () => {
      const body = { since: timeBefore(hours), ...(status === '' ? {} : { status }) };
      setDone(
        (await api<{ replayed: number; pending: number }>('POST', `/services/${id}/replay`, { body })).body,
      );
    });
  return (
    <Dialog title={TEXTS.webhooks.replay} close={close}>
      <Form error={action.error} submit={replay}>
        <SinceField hours={hours} set={setHours} />
        <SelectField
          path="status"
          label={TEXTS.webhooks.replayWhat}
          value={status}
          set={setStatus}
          options={['', 'failed', 'skipped', 'delivered'].map((value) => ({
            value,
            text: value === '' ? TEXTS.webhooks.missed : (TEXTS.deliveryStatuses[value] ?? value),
          }))}
        />
        <FormProblem />
        {done ? <p role="status">{TEXTS.webhooks.replayed(done.replayed, done.pending)}</p> : null}
        <button type="submit" class="main" disabled={action.isRunning}>
          {TEXTS.webhooks.replay}
        </button>
      </Form>
    </Dialog>
  );
}

function Rotate({ service, change, close }: Props) {
  const [secret] = useState(newSecret);
  return (
    <Confirm
      title={TEXTS.webhooks.rotate}
      word={TEXTS.webhooks.rotate}
      act={() => change({ params: { ...service.params, secret } })}
      close={close}
    >
      <p>{TEXTS.webhooks.rotateWhat}</p>
      <Copyable label={TEXTS.webhooks.secret} text={secret} />
    </Confirm>
  );
}

function Edit({ service, change, close }: Props) {
  const [name, setName] = useState(service.name);
  const [url, setUrl] = useState(service.params.url);
  const [events, setEvents] = useState(service.params.events?.join('\n') ?? '');
  const action = useAction();
  const save = async () => {
    const { events: _, ...params } = service.params;
    const patch = { name, params: { ...params, url, ...parseEvents(events) } };
    if (await action.run(() => change(patch))) close();
  };
  return (
    <Dialog title={TEXTS.edit} close={close}>
      <Form error={action.error} submit={save}>
        <TextField label={TEXTS.name} path="name" required value={name} set={setName} />
        <TextField
          label={TEXTS.webhooks.url}
          path="params.url"
          type="url"
          required
          value={url}
          set={setUrl}
        />
        <TextField
          label={TEXTS.webhooks.events}
          path="params.events"
          rows={4}
          value={events}
          set={setEvents}
          hint={TEXTS.webhooks.eventsHint}
        />
        <FormProblem />
        <button type="submit" class="main" disabled={action.isRunning}>
          {TEXTS.save}
        </button>
      </Form>
    </Dialog>
  );
}
