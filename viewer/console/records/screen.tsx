import type { ScreenProps } from '../screen.ts';
import { Tabs } from '../parts/tabs.tsx';
import { TEXTS } from '../texts.ts';
import { KINDS } from './kinds.ts';
import { RecordList, RecordPage } from './records.tsx';

/** Organizations and what they keep: groups, channels, forms, knowledge items. */
export function RecordsScreen({ place: [part = 'organizations', id] }: ScreenProps) {
  const kind = KINDS.find(({ path }) => path === part) ?? KINDS[0];
  const within = ['settings', kind.path];
  return (
    <div class="page">
      <Tabs
        label={TEXTS.screens.settings}
        screen="settings"
        tabs={KINDS.map(({ path, title }) => ({ name: path, title }))}
        current={kind.path}
      />
      {id === undefined ? (
        <RecordList key={kind.path} kind={kind} within={within} />
      ) : (
        <RecordPage key={id} kind={kind} within={within} id={id} />
      )}
    </div>
  );
}
