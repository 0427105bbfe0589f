import { expect, test } from 'vitest';
import { newPerson, openConsole } from './console.ts';
import { newTalk } from './conversation.ts';
import { countScriptWork } from './script-work.ts';
import { stage } from './stage.ts';

const on = stage('console_scale');

const CONVERSATIONS = 10_000;
const MESSAGES = 5_000;
const FEW = 1_000;
const MESSAGES_A_PAGE = 100;
const STEPS = 40;
/** Messages that one scroll step passes. */
const MESSAGES_A_STEP = 125;

test('the console scrolls a list of 10,000 conversations with less than three times the work of 1,000, and renders only the conversations near the viewport', async () => {
  const few = await mostInList(FEW);
  const many = await mostInList(CONVERSATIONS);
  console.log('most script in one step of a list', few, many);
  expect(many.rows).toBeLessThan(60);
  expect(many.work).toBeLessThan(3 * few.work);
});

/**
 * Scrolls to the end of a list of `count` conversations. Returns the number of rows on the page at
 * the end, and the most script work of one step.
 */
async function mostInList(count: number): Promise<{ work: number; rows: number }> {
  const agent = await newPerson(on.product, { role: 'agent' });
  const all = Array.from({ length: count }, (_, at) => conversationOf(at));
  const { page } = await openConsole(on, agent, { place: '#/account' });
  await page.route('**/v2/conversations?*', (route) => {
    const query = new URL(route.request().url()).searchParams;
    const before = /^<=(.*)/.exec(query.get('lastMessageAt') ?? '')?.[1];
    if (query.has('updatedAt')) return route.fulfill({ json: [] });
    const from = before === undefined ? 0 : all.findIndex(({ lastMessageAt }) => lastMessageAt <= before);
    return route.fulfill({ json: all.slice(from, from + Number(query.get('limit'))) });
  });
  await page.goto(`${on.product.origin}/console#/inbox/all`);
  await page.locator('.row').first().waitFor();
  const script = await countScriptWork(page);
  let work = 0;
  const last = page.getByRole('link', { name: new RegExp(`Conversation ${count - 1}\\b`) });
  await expect
    .poll(
      async () => {
        await page.evaluate(
          '(list => list.scrollTop = list.scrollHeight)(document.querySelector(".windowed"))',
        );
        const there = await last.count();
        work = Math.max(work, await script.since());
        return there;
      },
      { interval: 20 },
    )
    .toBe(1);
  return { work, rows: await page.locator('.row').count() };
}

test('the timeline scrolls 5,000 messages with less than three times the work of 500, and renders only the messages near the viewport', async () => {
  const few = await mostInTimeline(4 * MESSAGES_A_STEP);
  const many = await mostInTimeline(MESSAGES);
  console.log('most script in one step of a timeline', few, many);
  expect(many.lines).toBeLessThan(400);
  expect(many.work).toBeLessThan(3 * few.work);
});

/**
 * Loads all messages of a conversation and scrolls from the first to the last message. Returns the
 * largest number of lines on the page, and the most script work of one step.
 */
async function mostInTimeline(count: number): Promise<{ work: number; lines: number }> {
  const talk = await newTalk(on.product);
  const agent = await newPerson(on.product, { role: 'agent' });
  const all = Array.from({ length: count }, (_, at) => messageOf(talk.id, count - at));
  const { page } = await openConsole(on, agent, { place: '#/account' });
  await page.route(`**/v2/conversations/${talk.id}/timeline?*`, (route) => {
    const query = new URL(route.request().url()).searchParams;
    if (query.has('processedAt') || query.has('id')) return route.fulfill({ json: [] });
    const before = Number(/^<(\d+)/.exec(query.get('sequence') ?? '')?.[1] ?? count + 1);
    const earlier = all.filter(({ sequence }) => sequence < before);
    return route.fulfill({ json: earlier.slice(0, Number(query.get('limit'))) });
  });
  await page.goto(`${on.product.origin}/console#/inbox/all/${talk.id}`);
  await page.locator('.line').first().waitFor();
  const earlier = page.getByRole('button', { name: 'Show earlier messages' });
  // The last click loads an empty page, which removes the button.
  for (let read = 0; read < count; read += MESSAGES_A_PAGE) await earlier.click();
  await earlier.waitFor({ state: 'detached' });
  const script = await countScriptWork(page);
  let [lines, work] = [0, 0];
  const ways = count / MESSAGES_A_STEP;
  for (let step = 0; step <= STEPS; step += 1) {
    // A short conversation is scrolled back and forth. The number of steps and their distance are
    // the same as in a long conversation.
    const place = Math.floor(step / ways) % 2 ? ways - (step % ways) : step % ways;
    await page.evaluate(
      `(log => log.scrollTop = log.scrollHeight * ${place / ways})(document.querySelector('.timeline'))`,
    );
    await page.evaluate('new Promise((seen) => requestAnimationFrame(() => setTimeout(seen)))');
    lines = Math.max(lines, await page.locator('.line').count());
    work = Math.max(work, await script.since());
    if (step === 0) await page.getByText(textOf(1), { exact: true }).waitFor();
  }
  await page.evaluate("(log => log.scrollTop = log.scrollHeight)(document.querySelector('.timeline'))");
  await page.getByText(textOf(count), { exact: true }).waitFor();
  return { work, lines };
}

function conversationOf(at: number) {
  const lastMessageAt = new Date(Date.UTC(2026, 0, 1) - at * 1_000).toISOString();
  const updatedAt = lastMessageAt;
  const id = at.toString(16).padStart(24, '0');
  const empty = { participants: [], touchpoints: {} };
  return { id, name: `Conversation ${at}`, status: 'queued', ...empty, updatedAt, lastMessageAt };
}

const textOf = (sequence: number) => `Message ${sequence} of a long conversation`;

function messageOf(conversation: string, sequence: number) {
  const createdAt = new Date(Date.UTC(2026, 0, 1) + sequence * 1_000).toISOString();
  const id = sequence.toString(16).padStart(24, '0');
  return {
    id,
    conversation,
    sequence,
    type: 'chat',
    role: sequence % 2 ? 'contact' : 'bot',
    text: textOf(sequence),
    isBackchannel: false,
    createdAt,
    processedAt: createdAt,
  };
}
