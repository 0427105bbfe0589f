import { SAVED_VIEWS, viewAddress } from '../../../domain/operators/saved-views.ts';
import { Empty } from '../parts/notices.tsx';
import type { ScreenProps } from '../route.ts';
import { OPERATION_WORDS } from './texts.ts';
import { TEXTS } from '../texts.ts';

/** See spec 11.5. */
export function OperationsScreen({ session: { temporal } }: ScreenProps) {
  if (!temporal) return <Empty>{OPERATION_WORDS.unknown}</Empty>;
  return (
    <div class="page">
      <section>
        <h1>{TEXTS.screens.operations}</h1>
        <p>{OPERATION_WORDS.what}</p>
        <ul class="plain">
          {SAVED_VIEWS.map((view) => (
            <li key={view.name}>
              <a href={viewAddress(view, temporal.ui, temporal.namespace)} target="_blank" rel="noreferrer">
                {view.name}
              </a>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}
