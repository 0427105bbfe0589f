import { setTimeout as wait } from 'node:timers/promises';
import type { ApiResponse } from '../../support/client.ts';
import { newAuthor, openConversation, postOnce } from './load.ts';
import type { LoadContext, Timeline } from './load.ts';

const IDENTICAL = { most: 8, withinMs: 3 * 60_000, tried: 12, code: 'bot_loop_identical' };
const CONSECUTIVE = { most: 20, withinMs: 60 * 60_000, tried: 24, code: 'bot_loop_consecutive' };

/**
 * Posts as a bot at both API processes at once until the limits reject posts. Exactly the allowed
 * number of messages is accepted (spec 6.10).
 */
export async function runIntoLimits(load: LoadContext): Promise<void> {
  while (!load.ending.aborted) {
    const timeline = await openConversation(load);
    const same = load.name('said again and again');
    await tryLimit(load, { timeline, limit: IDENTICAL, textOf: () => same });
    const reply = await postOnce(load, timeline, { role: 'contact' });
    if (!reply) return;
    newAuthor(timeline).push(reply);
    await tryLimit(load, { timeline, limit: CONSECUTIVE, textOf: () => load.name('text') });
    await wait(load.random.between(500, 3_000));
  }
}

interface Trial {
  timeline: Timeline;
  limit: typeof IDENTICAL;
  textOf: () => string;
}

async function tryLimit(load: LoadContext, { timeline, limit, textOf }: Trial): Promise<void> {
  const { journal, random } = load;
  const startedAt = performance.now();
  const answers: ApiResponse<any>[] = [];
  let left = limit.tried;
  const lane = async () => {
    while (left > 0) {
      left -= 1;
      answers.push(await say(load, timeline, textOf()));
      await wait(random.between(10, 150));
    }
  };
  await Promise.all([lane(), lane()]);
  const accepted = answers.filter(({ status }) => status < 300);
  const refused = answers.filter(({ status, body }) => status === 429 && body.code === limit.code);
  journal.count('messages of bots acknowledged', accepted.length);
  journal.count('messages of bots refused by their limits', refused.length);
  newAuthor(timeline).push(
    ...accepted
      .map(({ body }) => body)
      .sort((a, b) => a.sequence - b.sequence)
      .map(({ id, sequence, text }) => ({ id, sequence, text })),
  );
  // After `withinMs` the limit no longer counts the first messages.
  const inTime = performance.now() - startedAt < limit.withinMs - 10_000;
  const wrong = accepted.length + refused.length !== limit.tried || accepted.length < limit.most;
  if (wrong || (inTime && accepted.length !== limit.most)) {
    const facts = answers.map(({ status, body }) => [status, body.code ?? body.sequence]);
    journal.violated('limits of bots hold exactly', {
      timeline: timeline.conversation,
      code: limit.code,
      facts,
    });
  }
}

function say(
  { bot, name }: LoadContext,
  { conversation }: Timeline,
  text: string,
): Promise<ApiResponse<any>> {
  const body = { conversation, text, externalId: name('said') };
  return bot.insist({ method: 'POST', path: '/messages', body });
}
