import { ACCOUNT_WORDS } from '../../web/console/account/texts.ts';
import { channels } from '../../web/console/channels/texts.ts';
import { words as contacts } from '../../web/console/contacts/texts.ts';
import { EVENT_WORDS, INGEST_WORDS } from '../../web/console/events/texts.ts';
import { narrowing, selection } from '../../web/console/inbox/narrowing-texts.ts';
import { INBOX_WORDS, history, labels } from '../../web/console/inbox/texts.ts';
import type { Catalog } from '../../web/console/languages/catalog.ts';
import { OPERATION_WORDS } from '../../web/console/operations/texts.ts';
import { KIND_WORDS, TASK_WORDS, TEAMS_WORDS, WIDGET_WORDS } from '../../web/console/records/texts.ts';
import { words as reports } from '../../web/console/reports/texts.ts';
import { TEAM_WORDS } from '../../web/console/team/texts.ts';
import { TEXTS } from '../../web/console/texts.ts';
import { WORDS as timers } from '../../web/console/timers/texts.ts';
import { webhooks } from '../../web/console/webhooks/texts.ts';

/** The English texts of the console, without the texts of the chat page. */
export const ENGLISH_CATALOG: Readonly<
  Record<Exclude<keyof Catalog, 'page' | 'refusals' | 'codes' | 'reasons'>, object>
> = {
  shell: TEXTS,
  inbox: INBOX_WORDS,
  labels,
  history,
  narrowing,
  selection,
  webhooks,
  channels,
  contacts,
  reports,
  timers,
  events: EVENT_WORDS,
  ingest: INGEST_WORDS,
  team: TEAM_WORDS,
  teams: TEAMS_WORDS,
  widget: WIDGET_WORDS,
  operations: OPERATION_WORDS,
  account: ACCOUNT_WORDS,
  kinds: KIND_WORDS,
  tasks: TASK_WORDS,
};
