import { useState } from 'preact/hooks';
import { Dialog } from '../parts/dialog.tsx';
import { TextField } from '../parts/fields.tsx';
import { Form, FormProblem } from '../parts/form.tsx';
import { api } from '../request.ts';
import { TEXTS } from '../texts.ts';
import { useAction } from '../use-action.ts';

const HOUR_MS = 3_600_000;

interface Props {
  /** What is run again, in words. */
  word: string;
  path: string;
  /** The body besides `since`. */
  body?: object;
}

/** Runs many events again, in their order of arrival (spec 8.3). */
export function RetryMany({ word, path, body = {} }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [hours, setHours] = useState('24');
  const [retried, setRetried] = useState<number>();
  const action = useAction();
  const retry = () =>
    action.run(async () => {
      const since = new Date(Date.now() - Number(hours) * HOUR_MS).toISOString();
      const answer = await api<{ retried: number }>('POST', path, { body: { ...body, since } });
      setRetried(answer.body.retried);
    });
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {word}
      </button>
      {isOpen ? (
        <Dialog title={word} close={() => setOpen(false)}>
          <Form error={action.error} submit={retry}>
            <TextField
              label={TEXTS.webhooks.hours}
              path="since"
              type="number"
              required
              value={hours}
              set={setHours}
            />
            <FormProblem />
            {retried === undefined ? null : <p role="status">{TEXTS.events.retried(retried)}</p>}
            <button type="submit" class="main" disabled={action.isRunning}>
              {TEXTS.events.retry}
            </button>
          </Form>
        </Dialog>
      ) : null}
    </>
  );
}
