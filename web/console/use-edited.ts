import { useLayoutEffect, useState } from 'preact/hooks';

/**
 * State that the user edits, and that a change of `value` replaces. A layout effect replaces it,
 * because a passive effect runs after the paint, and would replace what was typed in between.
 */
export function useEdited<T>(value: T) {
  const [edited, setEdited] = useState(value);
  useLayoutEffect(() => setEdited(() => value), [value]);
  return [edited, setEdited] as const;
}
