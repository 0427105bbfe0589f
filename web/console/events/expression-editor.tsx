import { useRef } from 'preact/hooks';
import { TEXTS } from '../texts.ts';
import { splitExpression } from './highlight.ts';

interface Props {
  value: string;
  set: (value: string) => void;
  /** Where it is wrong. */
  mark?: { line: number; column: number } | undefined;
}

/**
 * A text field with colours behind it: the browser's own editing, undoing and reading aloud, and
 * the line that is wrong told apart.
 */
export function ExpressionEditor({ value, set, mark }: Props) {
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
