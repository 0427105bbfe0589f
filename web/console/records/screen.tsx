import type { ScreenProps } from '../route.ts';
import { Tabs, Copyable } from '../parts/tabs.tsx';
import { TEXTS } from '../texts.ts';
import { KINDS } from './kinds.ts';
import { RecordList, RecordPage } from './records.tsx';
import { Empty, Problem } from '../parts/notices.tsx';
import { api } from '../request.ts';
import { useAction } from '../use-action.ts';
import { useQuery } from '../use-query.ts';
import { useState } from 'preact/hooks';
import { OWN_COLOUR, buildPalette } from '../../look.ts';
import { Field, TextField } from '../parts/fields.tsx';
import { Form, FormProblem } from '../parts/form.tsx';
import type { StoredRecord } from './kinds.ts';

export function RecordsScreen({ session, place: [part = 'organizations', id] }: ScreenProps) {
  const kind = KINDS.find(({ path }) => path === part) ?? KINDS[0];
  const within = ['settings', kind.path];
  return (
    <div class="page">
      <Tabs
        label={TEXTS.screens.settings}
        screen="settings"
        tabs={KINDS.map(({ path, title }) => ({ name: path, title }))}
        current={kind.path}
      />
      {id === undefined ? (
        <RecordList key={kind.path} kind={kind} within={within} />
      ) : (
        <RecordPage key={id} kind={kind} within={within} id={id}>
          {(record, changed) => (
            <>
              {kind.path === 'organizations' ? (
                <WidgetSettings organization={record} saved={changed} />
              ) : null}
              {kind.path === 'channels' ? (
                // The key reloads the list after the members were saved.
                <WhoIsOnline key={String(record['updatedAt'])} channel={id} me={session.user} />
              ) : null}
            </>
          )}
        </RecordPage>
      )}
    </div>
  );
}

interface Channel {
  members: { user: string | { id: string; name: string }; online: boolean }[];
}

const LOOK_MS = 5_000;

/** Members set their online status themselves (spec 4.6). */
function WhoIsOnline({ channel, me }: { channel: string; me: string }) {
  const path = `/channels/${channel}?select=members&populate=members.user:name`;
  const { value, error, again } = useQuery<Channel>(path, { everyMs: LOOK_MS });
  const action = useAction();
  const members = (value?.members ?? []).map(({ user, online }) =>
    typeof user === 'string' ? { id: user, name: user, online } : { ...user, online },
  );
  const mine = members.find(({ id }) => id === me);
  const say = (online: boolean) =>
    void action.run(() => api('PUT', `/channels/${channel}/online`, { body: { online } }).then(again));
  return (
    <section aria-label={TEXTS.channels.online}>
      <h2>{TEXTS.channels.online}</h2>
      <Problem error={error ?? action.error} />
      {value && members.length === 0 ? <Empty>{TEXTS.channels.nobody}</Empty> : null}
      <ul class="plain">
        {members.map(({ id, name, online }) => (
          <li key={id}>
            {name}{' '}
            <span class={online ? 'badge active' : 'badge'}>{TEXTS.channels.states[String(online)]}</span>
          </li>
        ))}
      </ul>
      {mine ? (
        <button type="button" disabled={action.isRunning} onClick={() => say(!mine.online)}>
          {mine.online ? TEXTS.channels.leave : TEXTS.channels.enter}
        </button>
      ) : null}
    </section>
  );
}

/** Form values of the widget settings (spec 13.2). */
interface WidgetInput {
  /** One origin per line. */
  origins: string;
  colour: string;
  welcome: string;
  hours: string;
}

interface Props {
  organization: StoredRecord;
  saved: (organization: StoredRecord) => void;
}

const COLOUR = /^#[0-9a-f]{6}$/i;
const ORIGIN_ROWS = 3;

function WidgetSettings({ organization, saved }: Props) {
  const [written, setWritten] = useState(() => readWidgetInput(organization));
  const [isSaved, setSaved] = useState(false);
  const action = useAction();
  const set = (part: Partial<WidgetInput>) => {
    setSaved(false);
    setWritten({ ...written, ...part });
  };
  const save = async () => {
    setSaved(await action.run(async () => saved(await saveWidget(organization.id, written))));
  };
  return (
    <section class="widget-settings">
      <h2>{TEXTS.widget.title}</h2>
      <Form label={TEXTS.widget.title} error={action.error} submit={save}>
        <WidgetFields written={written} set={set} />
        <FormProblem />
        <button type="submit" class="main" disabled={action.isRunning}>
          {TEXTS.widget.save}
        </button>
        {isSaved ? <p role="status">{TEXTS.saved}</p> : null}
      </Form>
      <Preview written={written} />
      <p>{TEXTS.widget.snippet}</p>
      <Copyable label={TEXTS.widget.snippetLabel} text={buildSnippet(organization.id)} />
    </section>
  );
}

function WidgetFields({ written, set }: { written: WidgetInput; set: (part: Partial<WidgetInput>) => void }) {
  return (
    <>
      <TextField
        label={TEXTS.widget.origins}
        path="meta.widget.origins"
        hint={TEXTS.widget.originsHint}
        rows={ORIGIN_ROWS}
        value={written.origins}
        set={(origins) => set({ origins })}
      />
      <Field label={TEXTS.widget.colour} path="meta.widget.colour">
        {(attributes) => (
          <input
            {...attributes}
            type="color"
            value={written.colour}
            onInput={({ currentTarget }) => set({ colour: currentTarget.value })}
          />
        )}
      </Field>
      <TextField
        label={TEXTS.widget.welcome}
        path="meta.widget.welcome"
        rows={2}
        value={written.welcome}
        set={(welcome) => set({ welcome })}
      />
      <TextField
        label={TEXTS.widget.hours}
        path="meta.widget.hours"
        value={written.hours}
        set={(hours) => set({ hours })}
      />
    </>
  );
}

function Preview({ written: { colour, welcome, hours } }: { written: WidgetInput }) {
  const { mine, onMine } = buildPalette(colour);
  return (
    <figure class="widget-preview">
      <figcaption>{TEXTS.widget.preview}</figcaption>
      {welcome.trim() === '' ? null : <p>{welcome}</p>}
      {hours.trim() === '' ? null : <p class="hint">{hours}</p>}
      <p class="said" style={{ background: mine, color: onMine }}>
        {TEXTS.widget.sample}
      </p>
    </figure>
  );
}

/** Reads the organization first, to keep other changes to `meta`. */
async function saveWidget(
  id: string,
  { origins, colour, welcome, hours }: WidgetInput,
): Promise<StoredRecord> {
  const { body } = await api<StoredRecord & { meta: Record<string, unknown> }>('GET', `/organizations/${id}`);
  const widget = {
    origins: origins.split(/\s+/).filter(Boolean),
    ...(colour === OWN_COLOUR ? {} : { colour }),
    ...(welcome.trim() === '' ? {} : { welcome: welcome.trim() }),
    ...(hours.trim() === '' ? {} : { hours: hours.trim() }),
  };
  const change = { body: { meta: { ...body.meta, widget } } };
  return (await api<StoredRecord>('PATCH', `/organizations/${id}`, change)).body;
}

function readWidgetInput({ meta }: StoredRecord): WidgetInput {
  const { widget } = (meta ?? {}) as { widget?: Partial<Record<keyof WidgetInput, unknown>> | null };
  const { origins, colour, welcome, hours } = widget ?? {};
  return {
    origins: Array.isArray(origins) ? origins.join('\n') : '',
    colour: typeof colour === 'string' && COLOUR.test(colour) ? colour.toLowerCase() : OWN_COLOUR,
    welcome: typeof welcome === 'string' ? welcome : '',
    hours: typeof hours === 'string' ? hours : '',
  };
}

function buildSnippet(organization: string): string {
  const script = new URL('widget.js', document.baseURI).href;
  return `<script src="${script}" data-organization="${organization}" async></script>`;
}
