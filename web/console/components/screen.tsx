import { useRef, useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { Avatar } from '../parts/avatar.tsx';
import { Button } from '../parts/button.tsx';
import { Count } from '../parts/count.tsx';
import { ConfirmButton, DialogButton } from '../parts/dialog.tsx';
import { ChoicesField, SelectField, TextField } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { Menu } from '../parts/menu.tsx';
import { Behind, Empty, Loading, Problem } from '../parts/notices.tsx';
import { Table } from '../parts/table.tsx';
import { Stretches } from '../inbox/stretches.tsx';
import { Row } from '../inbox/row.tsx';
import { buildEntries } from '../inbox/entries.ts';
import { INBOX_WORDS } from '../inbox/texts.ts';
import { TEXTS } from '../texts.ts';
import { CONVERSATION, MESSAGES, PEOPLE, REFUSAL } from './samples.ts';

/** Every part of the console in every state, for who changes one (CONTRIBUTING.md). */
export function ComponentsScreen() {
  return (
    <div class="page samples">
      <h1>Components</h1>
      <Buttons />
      <Fields />
      <Signs />
      <Sample title="List rows">
        <div class="sample-rows">
          {CONVERSATION.map((conversation, at) => (
            <div key={conversation.id} class="sample-row">
              <Row conversation={conversation} href="#/components" user="u1" isChosen={at === 1} />
            </div>
          ))}
        </div>
      </Sample>
      <Sample title="Chips">
        <div class="chips">
          <button type="button" class="chip" aria-label="Remove the filter Last 7 days">
            <span class="name">Last 7 days</span> ✕
          </button>
          <Button word="Clear" class="quiet" press={doNothing} />
        </div>
      </Sample>
      <Timeline />
      <Sample title="Notices">
        <Loading />
        <Empty>Nothing here.</Empty>
        <Behind />
        <Problem error={REFUSAL} again={doNothing} />
      </Sample>
      <Sample title="Dialogs">
        <div class="commands">
          <DialogButton word="Dialog">{(close) => <Button word="Done" press={close} />}</DialogButton>
          <ConfirmButton word="Confirmation" act={() => Promise.resolve()}>
            {TEXTS.cannotBeUndone}
          </ConfirmButton>
        </div>
      </Sample>
      <Sample title="Table">
        <Table
          items={PEOPLE}
          empty="Nobody."
          columns={[
            { title: 'Name', cell: ({ name }) => name },
            { title: 'Status', cell: ({ status }) => INBOX_WORDS.userStatuses[status] },
          ]}
        />
      </Sample>
    </div>
  );
}

function Sample({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function Buttons() {
  return (
    <Sample title="Buttons">
      <div class="commands">
        <Button word="Plain" press={doNothing} />
        <Button word="Main" class="main" press={doNothing} />
        <Button word="Quiet" class="quiet" press={doNothing} />
        <Button word="Danger" class="danger" press={doNothing} />
        <Button word="Plain, disabled" disabled press={doNothing} />
        <Button word="Main, disabled" class="main" disabled press={doNothing} />
        <Menu
          label="Menu"
          items={[
            { word: 'One', press: doNothing },
            { word: 'Two', press: doNothing },
          ]}
        >
          ⋯
        </Menu>
      </div>
    </Sample>
  );
}

function Fields() {
  const [text, setText] = useState('');
  return (
    <Sample title="Fields">
      <Form submit={doNothing} error={REFUSAL}>
        <TextField label="Text" value={text} set={setText} placeholder="Placeholder" />
        <TextField label="Text with a hint" hint="Its purpose." value="given" set={doNothing} />
        <TextField label="Refused text" path="name" value="" set={doNothing} />
        <TextField label="Long text" rows={3} value="Several lines" set={doNothing} />
        <SelectField label="Select" value="two" set={doNothing} options={['one', 'two']} />
        <ChoicesField
          label="Choices"
          options={[
            { value: '1', text: 'One' },
            { value: '2', text: 'Two' },
          ]}
          chosen={(value) => value === '1'}
          toggle={doNothing}
        />
      </Form>
    </Sample>
  );
}

function Signs() {
  return (
    <Sample title="Badges, counts and avatars">
      <p>
        {['queued', 'active', 'closed', 'pending', 'delivered', 'failed'].map((status) => (
          <>
            <span class={`badge ${status}`}>{status}</span>{' '}
          </>
        ))}
        <Count of={3} /> <Count of={120} isCalm />
      </p>
      <p>
        {PEOPLE.map(({ id, name, status }) => (
          <>
            <Avatar key={id} name={name} /> <span class={`presence ${status}`}>{name}</span>{' '}
          </>
        ))}
      </p>
      <nav class="tabs" aria-label="Tabs">
        <a href="#/components" aria-current="page">
          Current
        </a>
        <a href="#/components">Other</a>
      </nav>
    </Sample>
  );
}

function Timeline() {
  const log = useRef<HTMLDivElement>(null);
  return (
    <Sample title="Bubbles">
      <div class="timeline sample-timeline" ref={log} role="log" aria-label="Bubbles" tabIndex={0}>
        <Stretches
          entries={buildEntries(MESSAGES, { nameUser: () => 'Bruno Schulz', nameTeam: () => 'Support' })}
          contact="Ada Lovelace"
          log={log}
          anchor={MESSAGES[1]?.id}
        />
      </div>
    </Sample>
  );
}

function doNothing(): void {
  return undefined;
}
