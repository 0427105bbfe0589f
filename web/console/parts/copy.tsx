import { useState } from 'preact/hooks';
import { TEXTS } from '../texts.ts';

/** A secret, or an address: selected by one press, and copied where the browser lets us. */
export function Copyable({ text, label }: { text: string; label: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = () => {
    void navigator.clipboard.writeText(text).then(() => setCopied(true));
  };
  return (
    <p class="copyable">
      <input
        type="text"
        readOnly
        aria-label={label}
        value={text}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      {'clipboard' in navigator ? (
        <button type="button" onClick={copy}>
          {isCopied ? TEXTS.copied : TEXTS.copy}
        </button>
      ) : null}
    </p>
  );
}
