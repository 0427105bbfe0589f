import type { IconNode } from 'lucide';
import { createElement } from 'preact';

/** An icon of lucide. It has no name: the word beside it, or the label of its button, has. */
export function Icon({ icon }: { icon: IconNode }) {
  return (
    <svg class="line-icon" viewBox="0 0 24 24" aria-hidden="true">
      {icon.map(([tag, attributes], at) => createElement(tag, { key: at, ...attributes }))}
    </svg>
  );
}
