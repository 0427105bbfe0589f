import type { AnswerTo, EventType } from '@parlance/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import { Content } from '../../components/content.tsx';
import { Actions, Items } from '../../components/items.tsx';
import { ConfirmButton, DialogButton } from '../parts/dialog.tsx';
import { ActionForm } from '../parts/form.tsx';
import { Empty, Pending, Problem } from '../parts/notices.tsx';
import { SinceField, timeBefore } from '../parts/tabs.tsx';
import { JsonFault } from '../parts/json-fault.ts';
import { WrittenJson, parseWrittenJson, toRequestBody } from '../parts/written-json.ts';
import { goTo } from '../route.ts';
import { client } from '../session.ts';
import { loadDraft, saveDraft } from '../storage.ts';
import { Failures } from './failures.tsx';
import { IngestButton } from './ingest-address.tsx';
import { EVENT_WORDS } from './texts.ts';
import { INBOX_WORDS } from '../inbox/texts.ts';
import { TEXTS } from '../texts.ts';
import { useAction } from '../use-action.ts';
import { useQuery } from '../use-query.ts';

type Preview = AnswerTo<'POST /eventtypes/preview'>;

const SETTLED_MS = 400;
const SAMPLE = '{\n  "email": "ada@example.com",\n  "number": 42\n}';

export function TypePage({ id }: { id: string }) {
  const query = useQuery('GET /eventtypes/{id}', { path: { id } });
  return query.value ? <Workbench type={query.value} /> : <Pending query={query} />;
}

function useExpression({ id, jsonata = '' }: EventType) {
  const name = `parlance:console:expression:${id}`;
  const [expression, setExpression] = useState(() => loadDraft(name) || jsonata);
  const [saved, setSaved] = useState(jsonata);
  const write = (text: string, stored = saved) => {
    setExpression(text);
    setSaved(stored);
    saveDraft(name, text === stored ? '' : text);
  };
  return { expression, saved, write };
}

function Workbench({ type }: { type: EventType }) {
  const { text: event, setText: setEvent, context } = useSample(type);
  const draft = useExpression(type);
  const { expression } = draft;
  const preview = usePreview(event, expression, JSON.stringify({ name: type.name, ...context }));
  const wrongLine = preview.error && parseErrorLine(preview.error.message);
  return (
    <section>
      <Head type={type} draft={draft} />
      <Failures eventtype={type.id} />
      <div class="workbench">
        <label>
          <span>{EVENT_WORDS.sample}</span>
          <textarea
            spellcheck={false}
            value={event}
            onInput={({ currentTarget }) => setEvent(currentTarget.value)}
          />
        </label>
        <div class="middle">
          <span>{EVENT_WORDS.expression}</span>
          <ExpressionEditor value={expression} set={draft.write} wrongLine={wrongLine} />
          <p class="hint">{EVENT_WORDS.expressionHint}</p>
        </div>
        <div class="results" role="region" aria-label={EVENT_WORDS.results} aria-live="polite">
          <span>{EVENT_WORDS.results}</span>
          <PreviewProblem error={preview.error} />
          {preview.value ? <Results preview={preview.value} /> : null}
          {preview.value ? <EventFacts event={preview.value.event} /> : null}
        </div>
      </div>
    </section>
  );
}

interface HeadProps {
  type: EventType;
  draft: ReturnType<typeof useExpression>;
}

function Head({ type: { id, name }, draft: { expression, saved, write } }: HeadProps) {
  const action = useAction();
  const path = { id };
  const save = () =>
    action.run(async () => {
      await client.call('PUT /eventtypes/{id}/jsonata', { path, body: expression });
      write(expression, expression);
    });
  const remove = async () => {
    await client.call('DELETE /eventtypes/{id}', { path });
    goTo('events', 'types');
  };
  return (
    <>
      <header class="head">
        <h1>{name}</h1>
        {expression === saved ? null : (
          <>
            <span class="badge pending">{EVENT_WORDS.unsaved}</span>
            <Button word={TEXTS.discard} class="quiet" press={() => write(saved)} />
          </>
        )}
        <Button word={TEXTS.save} class="main" disabled={action.isRunning} press={save} />
        <RetryMany
          word={EVENT_WORDS.retryFailed}
          retry={(since) => client.call('POST /eventtypes/{id}/retry', { path, body: { since } })}
        />
        <IngestButton eventtype={id} />
        <ConfirmButton word={TEXTS.delete} title={TEXTS.deleteOne(EVENT_WORDS.type, name)} act={remove}>
          <p>{EVENT_WORDS.deleteWhat}</p>
        </ConfirmButton>
      </header>
      <Problem error={action.error} />
    </>
  );
}

interface RetryManyProps {
  word: string;
  /** `since` is in ISO 8601. */
  retry: (since: string) => Promise<{ retried: number }>;
}

/** See spec 8.3. */
export function RetryMany({ word, retry }: RetryManyProps) {
  const [hours, setHours] = useState('24');
  const [done, setDone] = useState<string>();
  const submit = async () => setDone(EVENT_WORDS.retried((await retry(timeBefore(hours))).retried));
  return (
    <DialogButton word={word}>
      {() => (
        <ActionForm word={EVENT_WORDS.retry} submit={submit} done={done}>
          <SinceField hours={hours} set={setHours} />
        </ActionForm>
      )}
    </DialogButton>
  );
}

/** Returns body and context of the newest event, else a body for the first expressions. */
function useSample({ name, jsonata = '' }: EventType) {
  const { value } = useQuery('GET /events', { query: { name, sort: '-createdAt', limit: 1 } });
  const id = value?.[0]?.id;
  const { value: latest } = useQuery(id === undefined ? null : 'GET /events/{name}', {
    path: { name: id ?? '' },
  });
  const needsConversation = /:\s*conversation\b/.test(jsonata);
  const query = { select: 'createdAt', sort: '-createdAt', limit: 1 };
  const newest = useQuery(needsConversation ? 'GET /conversations' : null, { query }).value?.[0];
  const [text, setText] = useState<string>();
  const timed = newest && { conversation: newest.id, timer: name, since: newest.createdAt };
  const found = value?.[0]?.body ?? timed;
  return {
    text: text ?? (found === undefined ? SAMPLE : JSON.stringify(found, null, 2)),
    setText,
    context: latest?.context,
  };
}

/** `facts`: JSON. */
function usePreview(event: string, expression: string, facts: string): { value?: Preview; error?: Error } {
  const [state, setState] = useState<{ value?: Preview; error?: Error }>({});
  useEffect(() => {
    const ended = new AbortController();
    const { signal } = ended;
    const load = async () => {
      try {
        const body = parseWrittenJson(event, EVENT_WORDS.sample);
        const draft = toRequestBody({ jsonata: expression, body, event: new WrittenJson(facts) });
        const value = await client.call('POST /eventtypes/preview', { ...draft, signal });
        setState({ value });
      } catch (error) {
        if (!signal.aborted) setState({ error: error as Error });
      }
    };
    const timer = setTimeout(() => void load(), SETTLED_MS);
    return () => {
      clearTimeout(timer);
      ended.abort();
    };
  }, [event, expression, facts]);
  return state;
}

/** Invalid JSON is a hint, not an alert, because the user may still be typing. */
function PreviewProblem({ error }: { error: Error | undefined }) {
  return error instanceof JsonFault ? <p class="hint">{error.message}</p> : <Problem error={error} />;
}

/** Shows what `$event` was in the preview. */
function EventFacts({ event }: { event: Preview['event'] }) {
  return (
    <details>
      <summary>$event</summary>
      <pre>{JSON.stringify(event, null, 2)}</pre>
    </details>
  );
}

function Results({ preview: { results } }: { preview: Preview }) {
  if (results.length === 0) return <Empty>{EVENT_WORDS.nothingPosted}</Empty>;
  return (
    <ol>
      {results.map(({ created, conversation, contact, messages }, at) => (
        <li key={at}>
          <p class="hint">
            {created ? EVENT_WORDS.newConversation : `${INBOX_WORDS.conversation} ${conversation ?? ''}`}
            {contact ? ` · ${JSON.stringify(contact.profile)}` : ''}
          </p>
          {messages.map((message, index) => (
            <article key={index} class={message.isBackchannel ? 'shown backchannel' : 'shown'}>
              {message.isBackchannel ? <span class="kind">{INBOX_WORDS.backchannel}</span> : null}
              <Content message={message} />
              <Items items={message.items ?? []} press={() => undefined} />
              <Actions actions={message.actions ?? []} press={() => undefined} />
            </article>
          ))}
        </li>
      ))}
    </ol>
  );
}

function parseErrorLine(words: string): number | undefined {
  const [, line] = /line (\d+), column \d+/.exec(words) ?? [];
  return line === undefined ? undefined : Number(line);
}

/**
 * Tokens of JSONata, tried in this order. The name of the group that matches is the kind of the
 * token.
 */
const TOKENS = new RegExp(
  [
    /(?<comment>\/\*[\s\S]*?(?:\*\/|$))/,
    /(?<string>"(?:[^"\\]|\\.)*(?:"|$)|'(?:[^'\\]|\\.)*(?:'|$))/,
    /(?<variable>\$[\w$]*)/,
    /(?<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/,
    /(?<keyword>\b(?:and|or|in|true|false|null|function)\b)/,
    /(?<operator>:=|!=|<=|>=|~>|\.\.|[-+*/%&=<>?:;,.^@#|~[\]{}()])/,
    /(?<text>[A-Za-z_]\w*|`[^`]*(?:`|$)|\s+|[\s\S])/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);

function splitExpression(expression: string) {
  return Array.from(expression.matchAll(TOKENS), ({ 0: text, groups = {} }) => {
    const [kind = 'text'] = Object.keys(groups).filter((name) => groups[name] !== undefined);
    return { kind, text };
  });
}

interface Props {
  value: string;
  set: (value: string) => void;
  wrongLine: number | undefined;
}

/** A text field over the highlighted text, because text fields have undo. */
function ExpressionEditor({ value, set, wrongLine }: Props) {
  const behind = useRef<HTMLPreElement>(null);
  const scroll = ({ currentTarget }: { currentTarget: HTMLTextAreaElement }) => {
    if (!behind.current) return;
    behind.current.scrollTop = currentTarget.scrollTop;
    behind.current.scrollLeft = currentTarget.scrollLeft;
  };
  return (
    <div class="editor">
      <pre aria-hidden="true" ref={behind}>
        {wrongLine === undefined ? null : (
          <span class="wrong-line" style={{ top: `calc(0.5rem + ${wrongLine - 1} * 1.45em)` }} />
        )}
        {splitExpression(`${value}\n`).map(({ kind, text }, at) => (
          <span key={at} class={`piece-${kind}`}>
            {text}
          </span>
        ))}
      </pre>
      <textarea
        aria-label={EVENT_WORDS.expression}
        aria-invalid={wrongLine !== undefined}
        spellcheck={false}
        autocapitalize="off"
        value={value}
        onScroll={scroll}
        onInput={({ currentTarget }) => set(currentTarget.value)}
      />
    </div>
  );
}
