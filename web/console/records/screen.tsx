import { parseUrl } from '../../components/urls.ts';
import { OWN_COLOUR, buildPalette } from '../../look.ts';
import { Field, TextField } from '../parts/fields.tsx';
import { Form, FormProblem, useFields } from '../parts/form.tsx';
import type { BindField } from '../parts/form.tsx';
import { Empty, Problem } from '../parts/notices.tsx';
import { Copyable, Tabbed } from '../parts/tabs.tsx';
import { formatHrefWith, useRouteQuery } from '../route.ts';
import type { ScreenProps } from '../route.ts';
import { client } from '../session.ts';
import { KIND_WORDS, TASK_WORDS, TEAMS_WORDS, WIDGET_WORDS } from './texts.ts';
import { TEXTS } from '../texts.ts';
import { Timers } from '../timers/section.tsx';
import { useAction } from '../use-action.ts';
import { useQuery } from '../use-query.ts';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import { KINDS } from './kinds.ts';
import type { EditableKind, StoredRecord } from './kinds.ts';
import { RecordList, RecordPage } from './records.tsx';

export function RecordsScreen({ session, place }: ScreenProps) {
  const toTab = (kind: EditableKind) => {
    const within = ['settings', kind.path];
    return {
      name: kind.path,
      title: KIND_WORDS[kind.path].title,
      list: () => <RecordList kind={kind} within={within} />,
      page: (id: string) => (
        <RecordPage kind={kind} within={within} id={id}>
          {(record, changed) => (
            <>
              {kind.path === 'organizations' ? (
                <>
                  <NextSteps organization={record.id} />
                  <Timers organization={record} saved={changed} />
                  <WidgetSettings organization={record} saved={changed} />
                </>
              ) : null}
              {kind.path === 'channels' ? (
                // A new key reloads changed members.
                <WhoIsOnline key={String(record['updatedAt'])} channel={id} me={session.user} />
              ) : null}
            </>
          )}
        </RecordPage>
      ),
    };
  };
  const [first, ...others] = KINDS;
  return (
    <Tabbed
      label={TEXTS.screens.settings}
      screen="settings"
      place={place}
      tabs={[toTab(first), ...others.map(toTab)]}
    />
  );
}

/** Links to the forms for a new organization, with the organization chosen. */
function NextSteps({ organization }: { organization: string }) {
  const { agent, bot, webhook } = TASK_WORDS;
  const add = (role: string) => formatHrefWith({ new: role, organization }, 'team');
  const steps = [
    { word: agent, href: add('agent') },
    { word: bot, href: add('bot') },
    { word: webhook, href: formatHrefWith({ organization }, 'webhooks') },
  ];
  return (
    <nav class="tabs" aria-label={TASK_WORDS.here}>
      {steps.map(({ word, href }) => (
        <a key={word} href={href}>
          {word}
        </a>
      ))}
    </nav>
  );
}

const LOOK_MS = 5_000;

/** See spec 4.6. */
function WhoIsOnline({ channel, me }: { channel: string; me: string }) {
  const path = { id: channel };
  const query = { select: 'members', populate: 'members.user:name' };
  const { value, error, again } = useQuery('GET /channels/{id}', { path, query, everyMs: LOOK_MS });
  const action = useAction();
  const populated: { user: string | { id: string; name: string }; online: boolean }[] = value?.members ?? [];
  const members = populated.map(({ user, online }) =>
    typeof user === 'string' ? { id: user, name: user, online } : { ...user, online },
  );
  const mine = members.find(({ id }) => id === me);
  const setOnline = (online: boolean) =>
    void action.run(() => client.call('PUT /channels/{id}/online', { path, body: { online } }).then(again));
  return (
    <section aria-label={TEAMS_WORDS.online}>
      <h2>{TEAMS_WORDS.online}</h2>
      <Problem error={error ?? action.error} />
      {value && members.length === 0 ? <Empty>{TEAMS_WORDS.nobody}</Empty> : null}
      <ul class="plain">
        {members.map(({ id, name, online }) => (
          <li key={id}>
            {name} <span class={online ? 'badge active' : 'badge'}>{TEAMS_WORDS.states[String(online)]}</span>
          </li>
        ))}
      </ul>
      {mine ? (
        <Button
          word={mine.online ? TEAMS_WORDS.leave : TEAMS_WORDS.enter}
          disabled={action.isRunning}
          press={() => setOnline(!mine.online)}
        />
      ) : null}
    </section>
  );
}

/** See spec 13.2. */
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

const WIDGET_PART = 'widget';
const COLOUR = /^#[0-9a-f]{6}$/i;
const ORIGIN_ROWS = 3;

function WidgetSettings({ organization, saved }: Props) {
  const section = useRef<HTMLElement>(null);
  const { part } = useRouteQuery();
  useLayoutEffect(() => {
    if (part === WIDGET_PART) section.current?.scrollIntoView();
  }, [part]);
  const { values, bind } = useFields(() => readWidgetInput(organization));
  const [savedValues, setSavedValues] = useState<WidgetInput>();
  const action = useAction();
  const save = async () => {
    const isSaved = await action.run(async () => saved(await saveWidget(organization.id, values)));
    setSavedValues(isSaved ? values : undefined);
  };
  return (
    <section class="widget-settings" ref={section}>
      <h2>{WIDGET_WORDS.title}</h2>
      <Form label={WIDGET_WORDS.title} error={action.error} submit={save}>
        <WidgetFields bind={bind} />
        <FormProblem />
        <button type="submit" class="main" disabled={action.isRunning}>
          {WIDGET_WORDS.save}
        </button>
        {savedValues === values ? <p role="status">{TEXTS.saved}</p> : null}
      </Form>
      <Preview {...values} />
      <p>{WIDGET_WORDS.snippet}</p>
      <Copyable label={WIDGET_WORDS.snippetLabel} text={buildSnippet(organization.id)} />
    </section>
  );
}

function WidgetFields({ bind }: { bind: BindField<WidgetInput> }) {
  const words = WIDGET_WORDS;
  const { path, value, set } = bind('colour', 'meta.widget.colour');
  return (
    <>
      <TextField
        label={words.origins}
        hint={words.originsHint}
        rows={ORIGIN_ROWS}
        {...bind('origins', 'meta.widget.origins')}
      />
      <Field label={words.colour} path={path}>
        {(attributes) => (
          <input
            {...attributes}
            type="color"
            value={value}
            onInput={({ currentTarget }) => set(currentTarget.value)}
          />
        )}
      </Field>
      <TextField label={words.welcome} rows={2} {...bind('welcome', 'meta.widget.welcome')} />
      <TextField label={words.hours} {...bind('hours', 'meta.widget.hours')} />
    </>
  );
}

function Preview({ colour, welcome, hours }: WidgetInput) {
  const { mine, onMine } = buildPalette(colour);
  return (
    <figure class="widget-preview">
      <figcaption>{WIDGET_WORDS.preview}</figcaption>
      {welcome.trim() === '' ? null : <p>{welcome}</p>}
      {hours.trim() === '' ? null : <p class="hint">{hours}</p>}
      <p class="said" style={{ background: mine, color: onMine }}>
        {WIDGET_WORDS.sample}
      </p>
    </figure>
  );
}

/** Reads `meta` first, to keep its other values. */
async function saveWidget(id: string, { origins, colour, welcome, hours }: WidgetInput) {
  const path = { id };
  const { meta } = await client.call('GET /organizations/{id}', { path });
  const widget = {
    origins: origins.split(/\s+/).filter(Boolean).map(completeOrigin),
    colour: colour === OWN_COLOUR ? undefined : colour,
    welcome: welcome.trim() || undefined,
    hours: hours.trim() || undefined,
  };
  return client.call('PATCH /organizations/{id}', { path, body: { meta: { ...meta, widget } } });
}

/** Takes a copied address with its slash, and a host without `https://`. */
function completeOrigin(written: string): string {
  const url = parseUrl(/^[a-z]+:\/\//i.test(written) ? written : `https://${written}`, location.href);
  return url && url.pathname === '/' && url.search + url.hash === '' ? url.origin : written;
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
