import { useState } from 'preact/hooks';
import { Problem } from '../parts/notices.tsx';
import { api } from '../request.ts';
import { TEXTS } from '../texts.ts';
import { useAction } from '../use-action.ts';
import { ServiceDialog } from './service-dialogs.tsx';
import type { DialogName } from './service-dialogs.tsx';
import { describeOutcome } from './webhook.ts';
import type { DeliveryAttempt, WebhookService } from './webhook.ts';

interface Props {
  service: WebhookService;
  changed: (service: WebhookService) => void;
}

/** What can be done with a webhook. */
export function ServiceCommands({ service, changed }: Props) {
  const action = useAction();
  const [open, setOpen] = useState<DialogName>();
  const [sample, setSample] = useState<DeliveryAttempt>();
  const at = `/services/${service.id}`;
  const change = async (patch: object) =>
    changed((await api<WebhookService>('PATCH', at, { body: patch })).body);
  const verify = () =>
    action.run(async () => changed((await api<WebhookService>('POST', `${at}/verify`)).body));
  const test = () =>
    action.run(async () => setSample((await api<DeliveryAttempt>('POST', `${at}/test`)).body));
  const isPaused = service.status === 'disabled';
  const words = TEXTS.webhooks;
  const commands: readonly (readonly [string, () => unknown])[] = [
    [words.test, test],
    [words.verify, verify],
    [
      isPaused ? words.resume : words.pause,
      () => action.run(() => change({ status: isPaused ? 'active' : 'disabled' })),
    ],
    [words.replay, () => setOpen('replay')],
    [words.rotate, () => setOpen('rotate')],
    [words.showSecret, () => setOpen('secret')],
    [TEXTS.edit, () => setOpen('edit')],
    [TEXTS.delete, () => setOpen('delete')],
  ];
  return (
    <div class="commands" role="group" aria-label={words.commands}>
      {commands.map(([word, press]) => (
        <button key={word} type="button" disabled={action.isRunning} onClick={() => void press()}>
          {word}
        </button>
      ))}
      <Problem error={action.error} />
      {sample ? <Sample attempt={sample} /> : null}
      {open ? (
        <ServiceDialog name={open} service={service} change={change} close={() => setOpen(undefined)} />
      ) : null}
    </div>
  );
}

/** What came of a test. */
function Sample({ attempt }: { attempt: DeliveryAttempt }) {
  return (
    <p role="status" class={attempt.outcome === 'delivered' ? 'good' : 'problem'}>
      {TEXTS.webhooks.sample} {describeOutcome(attempt)} · {Math.round(attempt.durationMs)} ms
    </p>
  );
}
