import { useState } from 'preact/hooks';
import { Dialog } from '../parts/dialog.tsx';
import { Form, FormProblem } from '../parts/form.tsx';
import { SinceField, timeBefore } from '../parts/tabs.tsx';
import { api } from '../request.ts';
import { TEXTS } from '../texts.ts';
import { useAction } from '../use-action.ts';

interface Props {
  word: string;
  path: string;
  body?: object;
}

/** Retries many events in their order of arrival (spec 8.3). */
export function RetryMany({ word, path, body = {} }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [hours, setHours] = useState('24');
  const [retried, setRetried] = useState<number>();
  const action = useAction();
  const retry = () =>
    action.run(async () => {
      const asked = { ...body, since: timeBefore(hours) };
      const answer = await api<{ retried: number }>('POST', path, { body: asked });
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
            <SinceField hours={hours} set={setHours} />
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
