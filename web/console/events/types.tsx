import { useState } from 'preact/hooks';
import { Dialog } from '../parts/dialog.tsx';
import { TextField } from '../parts/fields.tsx';
import { Form, FormProblem } from '../parts/form.tsx';
import { Empty, Loading, Problem } from '../parts/notices.tsx';
import { api } from '../request.ts';
import { goTo, formatHref } from '../route.ts';
import { TEXTS } from '../texts.ts';
import { useAction } from '../use-action.ts';
import { useQuery } from '../use-query.ts';
import type { EventType } from './event.ts';

export function EventTypes({ organization }: { organization: string }) {
  const { value, error, again } = useQuery<EventType[]>(
    '/eventtypes?limit=1000&sort=name&select=name,description',
  );
  const [isNew, setNew] = useState(false);
  return (
    <section>
      <header class="head">
        <h1>{TEXTS.events.types}</h1>
        <button type="button" class="main" onClick={() => setNew(true)}>
          {TEXTS.events.add}
        </button>
      </header>
      <Problem error={error} again={again} />
      {value ? <Rows types={value} /> : error ? null : <Loading />}
      {isNew ? <NewType organization={organization} close={() => setNew(false)} /> : null}
    </section>
  );
}

function Rows({ types }: { types: readonly EventType[] }) {
  if (types.length === 0) return <Empty>{TEXTS.events.noTypes}</Empty>;
  return (
    <ul class="plain">
      {types.map(({ id, name, description }) => (
        <li key={id}>
          <a href={formatHref('events', 'types', id)}>{name}</a> {description}
        </li>
      ))}
    </ul>
  );
}

/** `isBackchannel: false` sends the message to the contact. The default is the back channel. */
function firstExpression(organization: string): string {
  return `{
  "organization": "${organization}",
  "type": "contact",
  "contact": { "profile": { "email": email } },
  "messages": [
    { "text": "Your order " & number & " is on its way.", "isBackchannel": false }
  ]
}`;
}

function NewType({ organization, close }: { organization: string; close: () => void }) {
  const [name, setName] = useState('');
  const action = useAction();
  const create = () =>
    action.run(async () => {
      const { body } = await api<EventType>('POST', '/eventtypes', {
        body: { name, jsonata: firstExpression(organization) },
      });
      close();
      goTo('events', 'types', body.id);
    });
  return (
    <Dialog title={TEXTS.events.add} close={close}>
      <Form error={action.error} submit={create}>
        <TextField
          label={TEXTS.name}
          path="name"
          required
          value={name}
          set={setName}
          hint={TEXTS.events.nameHint}
        />
        <FormProblem />
        <button type="submit" class="main" disabled={action.isRunning}>
          {TEXTS.events.add}
        </button>
      </Form>
    </Dialog>
  );
}
