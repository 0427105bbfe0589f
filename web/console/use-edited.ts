import { useLayoutEffect, useState } from 'preact/hooks';

/**
 * Text that the user edits, and that a change of `text` replaces, unless `isSame`. A passive effect
 * runs after the paint, and would replace what was typed before.
 */
export function useEdited(text: string, isSame: (edited: string, text: string) => boolean = () => false) {
  const [edited, setEdited] = useState(text);
  useLayoutEffect(() => setEdited((now) => (isSame(now, text) ? now : text)), [text]);
  return [edited, setEdited] as const;
}
