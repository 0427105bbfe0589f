import { loopBlocks, loopCounts } from '../conversations/bot-loop.ts';
import type { LoopBlock, LoopCounter } from '../conversations/bot-loop.ts';
import type { ConversationState, Participant } from '../conversations/conversation.ts';
import { escapeMarkdown, conversationTitle } from './titles.ts';

const MAX_NAME = 60;

/** An empty name means that the id has none. */
export type NamesById = Readonly<Record<string, string>>;

/** `now` is epoch milliseconds. */
interface DetailsInput {
  state: ConversationState;
  names: NamesById;
  now: number;
}

/** Returns Markdown for operators (spec 11.2). Names are escaped. */
export function conversationDetails(shown: DetailsInput): string {
  const { state } = shown;
  const hands = describeProblems(shown);
  const rows = [
    ['Status', state.status],
    ['Participants', state.participants.map((one) => formatParticipant(one, shown)).join(', ')],
    ['Messages', String(state.sequence)],
    ['Delayed messages', formatDelayed(state)],
    [
      'Bot loops',
      Object.entries(state.loops)
        .flatMap((one) => describeLoop(one, shown))
        .join('; '),
    ],
  ];
  const title = formatTitle(shown);
  return [
    ...(hands.length > 0 ? ['**Needs a hand**', '', ...hands.map((hand) => `- ${hand}`), ''] : []),
    ...(title === '' ? [] : [`**${title}**`, '']),
    '| | |',
    '|---|---|',
    ...rows.map(([name = '', value = '']) => `| ${name} | ${value === '' ? 'none' : value} |`),
  ].join('\n');
}

function formatTitle({ state: { organization, contact, name, category }, names }: DetailsInput): string {
  return conversationTitle({
    organization: names[organization],
    contact: contact === undefined ? undefined : names[contact],
    name,
    category,
  });
}

function describeProblems({ state, names, now }: DetailsInput): string[] {
  const offline = state.channelsOffline.length;
  return [
    ...activeBlocks(state, now).map(
      (one) =>
        `${formatName(one.bot, names)} is blocked until ${formatUntil(one)}: ${describeBlockRule(one)}`,
    ),
    ...(state.status === 'queued' && offline > 0 ? [`nobody was online in ${offline} of its channels`] : []),
  ];
}

function describeBlockRule({ rule }: LoopBlock): string {
  return rule === 'identical'
    ? 'it said the same as often as it may within 3 minutes'
    : 'it wrote as often as it may without a reply';
}

function formatParticipant({ user, accepted }: Participant, { names }: DetailsInput): string {
  return accepted ? `${formatName(user, names)} (accepted)` : formatName(user, names);
}

function formatDelayed({ pending }: ConversationState): string {
  const next = pending[0];
  return next ? `${pending.length}, next due ${next.dueAt}` : '';
}

function describeLoop([bot, counter]: [string, LoopCounter], { state, names, now }: DetailsInput): string[] {
  const counts = loopCounts(counter, now);
  const describeRule = (rule: LoopBlock['rule'], words: string) => {
    const { count, max } = counts[rule];
    if (count === 0) return [];
    const block = activeBlocks(state, now).find((one) => one.bot === bot && one.rule === rule);
    return [`${count} of ${max} ${words}${block ? `, blocked until ${formatUntil(block)}` : ''}`];
  };
  const said = [...describeRule('consecutive', 'unanswered'), ...describeRule('identical', 'the same')];
  return said.length > 0 ? [`${formatName(bot, names)}: ${said.join(', ')}`] : [];
}

/** Returns no blocks for a closed conversation. */
export function activeBlocks(state: Pick<ConversationState, 'status' | 'loops'>, now: number): LoopBlock[] {
  return state.status === 'closed' ? [] : loopBlocks(state.loops, now);
}

function formatUntil({ until }: LoopBlock): string {
  return new Date(until).toISOString();
}

function formatName(id: string, names: NamesById): string {
  const name = escapeMarkdown(names[id] ?? '', MAX_NAME);
  return name === '' ? id : name;
}
