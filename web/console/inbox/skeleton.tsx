import { TEXTS } from '../texts.ts';

const ROWS = 6;

/** The inbox while its script is loading: the columns and rows have their final places. */
export function InboxSkeleton({ isChosen }: { isChosen: boolean }) {
  return (
    <div class={isChosen ? 'inbox chosen' : 'inbox'} role="status" aria-label={TEXTS.loading}>
      <div class="lists skeleton" aria-hidden="true">
        {Array.from({ length: ROWS }, (_, at) => (
          <i key={at} />
        ))}
      </div>
    </div>
  );
}
