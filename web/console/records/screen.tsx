import type { ScreenProps } from '../screen.ts';
import { Tabs } from '../parts/tabs.tsx';
import { TEXTS } from '../texts.ts';
import { KINDS } from './kinds.ts';
import { WhoIsOnline } from './online.tsx';
import { RecordList, RecordPage } from './records.tsx';
import { WidgetSettings } from './widget.tsx';

/** Organizations and what they keep: groups, channels, forms, knowledge items. */
export function RecordsScreen({ session, place: [part = 'organizations', id] }: ScreenProps) {
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
        <RecordPage key={id} kind={kind} within={within} id={id}>
          {(record, changed) => (
            <>
              {kind.path === 'organizations' ? (
                <WidgetSettings organization={record} saved={changed} />
              ) : null}
              {kind.path === 'channels' ? (
                // Members that were just saved are asked for at once.
                <WhoIsOnline key={String(record['updatedAt'])} channel={id} me={session.user} />
              ) : null}
            </>
          )}
        </RecordPage>
      )}
    </div>
  );
}
