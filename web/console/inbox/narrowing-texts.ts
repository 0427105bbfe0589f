import { localize } from '../language.ts';

/** Words of the filters and views of the inbox. */
export const narrowing = {
  assignee: 'Assignee',
  anybody: 'Anybody',
  me: 'Me',
  nobody: 'Nobody',
  team: 'Team',
  noTeam: 'No team',
  ofTeam: (team: string) => `Team: ${team}`,
  category: 'Category',
  label: 'Label',
  labelled: (label: string) => `Label: ${label}`,
  channel: 'Channel',
  status: 'Status',
  rating: 'Rating',
  ratings: { good: '4 or 5', fair: '3', bad: '1 or 2' },
  rated: (ratings: string) => `Rating: ${ratings}`,
  any: 'Any',
  time: 'Last message',
  anyTime: 'Any time',
  times: { today: 'Today', week: 'Last 7 days', month: 'Last 30 days' } as Readonly<Record<string, string>>,
  between: 'Between two days…',
  from: 'From',
  until: 'Until',
  fromDay: (day: string) => `from ${day}`,
  untilDay: (day: string) => `until ${day}`,
  remove: (criterion: string) => `Remove the filter ${criterion}`,
  clear: 'Clear',
  views: 'Views',
  saveView: 'Save as view',
  viewName: 'Name of the view',
  viewHint: 'Only you see it, on each of your devices.',
  replaces: (name: string) => `Replaces the view “${name}”.`,
  tooMany: 'You have the maximum number of views. Remove one first.',
  change: (name: string) => `Change the view “${name}”`,
  rename: 'Rename',
  removeView: 'Remove',
  removeTitle: (name: string) => `Remove the view “${name}”?`,
  removeWhat: 'The conversations do not change.',
  taken: 'You have a view of this name.',
};
localize('narrowing', narrowing);

/** Words of the bar for selected conversations. */
export const selection = {
  title: 'Selected conversations',
  count: (count: number) => `${count} selected`,
  all: (count: number) => `Select all ${count}`,
  clear: 'Clear the selection',
  assignMany: (count: number) =>
    count === 1 ? 'Assign 1 conversation to' : `Assign ${count} conversations to`,
  progress: (done: number, all: number) => `${done} of ${all}…`,
  closed: (count: number) => (count === 1 ? '1 conversation closed.' : `${count} conversations closed.`),
  assigned: (count: number) =>
    count === 1 ? '1 conversation assigned.' : `${count} conversations assigned.`,
  labelMany: (count: number) => (count === 1 ? 'Label 1 conversation' : `Label ${count} conversations`),
  labelled: (count: number) =>
    count === 1 ? '1 conversation has the label.' : `${count} conversations have the label.`,
  none: 'Nothing was changed.',
  dismiss: 'Put this away',
  failed: (count: number) => (count === 1 ? '1 failed:' : `${count} failed:`),
};
localize('selection', selection);
