import { useEffect, useState, useRef } from 'preact/hooks';
import { Actions, Items } from '../../components/items.tsx';
import { Content } from '../../components/content.tsx';
import { Confirm } from '../parts/dialog.tsx';
import { Empty, Loading, Problem } from '../parts/notices.tsx';
import { JsonFault, parseWrittenJson } from '../parts/written-json.ts';
import { api, buildQuery } from '../request.ts';
import { goTo } from '../route.ts';
import { TEXTS } from '../texts.ts';
import { useAction } from '../use-action.ts';
import { useQuery } from '../use-query.ts';
import { parseErrorPosition } from './event.ts';
import type { BusinessEvent, EventType, Preview } from './event.ts';
import { RetryMany } from './retry-many.tsx';

const SETTLED_MS = 400;
const SAMPLE = '{\n  "email": "ada@example.com",\n  "number": 42\n}';

export function TypePage({ id }: { id: string }) {
  const { value, error, again } = useQuery<EventType>(`/eventtypes/${id}`);
  if (!value) return error ? <Problem error={error} again={again} /> : <Loading />;
  return <Workbench type={value} />;
}

function Workbench({ type }: { type: EventType }) {
  const [event, setEvent] = useSample(type.name);
  const [expression, setExpression] = useState(type.jsonata ?? '');
  const preview = usePreview(event, expression);
  const mark = preview.error ? parseErrorPosition(preview.error.message) : undefined;
  return (
    <section>
      <Head type={type} expression={expression} />
      <div class="workbench">
        <label>
          <span>{TEXTS.events.sample}</span>
          <textarea
            spellcheck={false}
            value={event}
            onInput={({ currentTarget }) => setEvent(currentTarget.value)}
          />
        </label>
        <div class="middle">
          <span>{TEXTS.events.expression}</span>
          <ExpressionEditor value={expression} set={setExpression} mark={mark} />
        </div>
        <div class="results" role="region" aria-label={TEXTS.events.results} aria-live="polite">
          <span>{TEXTS.events.results}</span>
          <PreviewProblem error={preview.error} />
          {preview.value ? <Results preview={preview.value} /> : null}
        </div>
      </div>
    </section>
  );
}

function Head({ type: { id, name, jsonata = '' }, expression }: { type: EventType; expression: string }) {
  const [saved, setSaved] = useState(jsonata);
  const [isDeleting, setDeleting] = useState(false);
  const action = useAction();
  const save = () =>
    action.run(async () => {
      await api('PUT', `/eventtypes/${id}/jsonata`, { text: expression });
      setSaved(expression);
    });
  const remove = async () => {
    await api('DELETE', `/eventtypes/${id}`);
    goTo('events', 'types');
  };
  return (
    <>
      <header class="head">
        <h1>{name}</h1>
        {expression === saved ? null : <span class="badge pending">{TEXTS.events.unsaved}</span>}
        <button type="button" class="main" disabled={action.isRunning} onClick={() => void save()}>
          {TEXTS.save}
        </button>
        <RetryMany word={TEXTS.events.retryFailed} path={`/eventtypes/${id}/retry`} />
        <button type="button" onClick={() => setDeleting(true)}>
          {TEXTS.delete}
        </button>
      </header>
      <Problem error={action.error} />
      {isDeleting ? (
        <Confirm
          title={TEXTS.deleteOne(TEXTS.events.type, name)}
          word={TEXTS.delete}
          act={remove}
          close={() => setDeleting(false)}
        >
          <p>{TEXTS.events.deleteWhat}</p>
        </Confirm>
      ) : null}
    </>
  );
}

function useSample(name: string): [string, (text: string) => void] {
  const newest = buildQuery({ name, sort: '-createdAt', limit: 1 });
  const { value } = useQuery<BusinessEvent[]>(`/events${newest}`);
  const [text, setText] = useState<string>();
  const found = value?.[0]?.body;
  return [text ?? (found === undefined ? SAMPLE : JSON.stringify(found, null, 2)), setText];
}

function usePreview(event: string, expression: string): { value?: Preview; error?: Error } {
  const [state, setState] = useState<{ value?: Preview; error?: Error }>({});
  useEffect(() => {
    const ended = new AbortController();
    const timer = setTimeout(() => {
      let body: unknown;
      try {
        body = parseWrittenJson(event, TEXTS.events.sample);
      } catch (error) {
        setState({ error: error as Error });
        return;
      }
      api<Preview>('POST', '/eventtypes/preview', {
        body: { jsonata: expression, body },
        signal: ended.signal,
      }).then(
        ({ body: value }) => setState({ value }),
        (error: unknown) => {
          if (!ended.signal.aborted) setState({ error: error as Error });
        },
      );
    }, SETTLED_MS);
    return () => {
      clearTimeout(timer);
      ended.abort();
    };
  }, [event, expression]);
  return state;
}

/** A sample is often invalid JSON while the user types, so this error is not an alert. */
function PreviewProblem({ error }: { error: Error | undefined }) {
  return error instanceof JsonFault ? <p class="hint">{error.message}</p> : <Problem error={error} />;
}

function Results({ preview: { results } }: { preview: Preview }) {
  if (results.length === 0) return <Empty>{TEXTS.events.nothingPosted}</Empty>;
  return (
    <ol>
      {results.map(({ created, conversation, contact, messages }, at) => (
        <li key={at}>
          <p class="hint">
            {created ? TEXTS.events.newConversation : `${TEXTS.inbox.conversation} ${conversation ?? ''}`}
            {contact ? ` · ${JSON.stringify(contact.profile)}` : ''}
          </p>
          {messages.map((message, index) => (
            <article key={index} class={message.isBackchannel ? 'shown backchannel' : 'shown'}>
              {message.isBackchannel ? <span class="kind">{TEXTS.inbox.backchannel}</span> : null}
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
interface Piece {
  kind: 'text' | 'string' | 'number' | 'variable' | 'keyword' | 'comment' | 'operator';
  text: string;
}

/** Tokens of JSONata, in the order in which they are tried. */
const PIECES: readonly [Piece['kind'], RegExp][] = [
  ['comment', /\/\*[\s\S]*?(?:\*\/|$)/y],
  ['string', /"(?:[^"\\]|\\.)*(?:"|$)|'(?:[^'\\]|\\.)*(?:'|$)/y],
  ['variable', /\$[\w$]*/y],
  ['number', /\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y],
  ['keyword', /\b(?:and|or|in|true|false|null|function)\b/y],
  ['operator', /:=|!=|<=|>=|~>|\.\.|[-+*/%&=<>?:;,.^@#|~[\]{}()]/y],
  ['text', /[A-Za-z_][\w]*|`[^`]*(?:`|$)|\s+|[\s\S]/y],
];

/** The concatenated tokens equal the expression. */
function splitExpression(expression: string): Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at < expression.length;) {
    const piece = pieceAt(expression, at);
    pieces.push(piece);
    at += piece.text.length;
  }
  return pieces;
}

function pieceAt(expression: string, at: number): Piece {
  for (const [kind, pattern] of PIECES) {
    pattern.lastIndex = at;
    const [text = ''] = pattern.exec(expression) ?? [];
    if (text !== '') return { kind, text };
  }
  return { kind: 'text', text: expression.charAt(at) };
}

interface Props {
  value: string;
  set: (value: string) => void;
  mark?: { line: number; column: number } | undefined;
}

/** Text field over highlighted text, so that the browser's editing and undo work. */
function ExpressionEditor({ value, set, mark }: Props) {
  const behind = useRef<HTMLPreElement>(null);
  const scroll = ({ currentTarget }: { currentTarget: HTMLTextAreaElement }) => {
    if (!behind.current) return;
    behind.current.scrollTop = currentTarget.scrollTop;
    behind.current.scrollLeft = currentTarget.scrollLeft;
  };
  return (
    <div class="editor">
      <pre aria-hidden="true" ref={behind}>
        {mark ? (
          <span class="wrong-line" style={{ top: `calc(0.5rem + ${mark.line - 1} * 1.45em)` }} />
        ) : null}
        {splitExpression(`${value}\n`).map(({ kind, text }, at) => (
          <span key={at} class={`piece-${kind}`}>
            {text}
          </span>
        ))}
      </pre>
      <textarea
        aria-label={TEXTS.events.expression}
        aria-invalid={mark !== undefined}
        spellcheck={false}
        autocapitalize="off"
        value={value}
        onScroll={scroll}
        onInput={({ currentTarget }) => set(currentTarget.value)}
      />
    </div>
  );
}
