import type { ScreenProps } from '../screen.ts';
import { Tabs } from '../parts/tabs.tsx';
import { TEXTS } from '../texts.ts';
import { EventPage } from './event-page.tsx';
import { EventLog } from './log.tsx';
import { TypePage } from './type-page.tsx';
import { EventTypes } from './types.tsx';

const TABS = [
  { name: 'log', title: TEXTS.events.log },
  { name: 'types', title: TEXTS.events.types },
];

/** Business events: what came in, what became of it, and the expressions that decide so. */
export function EventsScreen({ session, place: [part = 'log', id] }: ScreenProps) {
  const isTypes = part === 'types';
  return (
    <div class="page">
      <Tabs label={TEXTS.screens.events} screen="events" tabs={TABS} current={part} />
      {isTypes && id === undefined ? <EventTypes organization={session.organization.id} /> : null}
      {isTypes && id !== undefined ? <TypePage key={id} id={id} /> : null}
      {!isTypes && id === undefined ? <EventLog /> : null}
      {!isTypes && id !== undefined ? <EventPage key={id} id={id} /> : null}
    </div>
  );
}
