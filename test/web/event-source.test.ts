import { describe, expect, test } from 'vitest';
import { newTalk } from './conversation.ts';
import { stage } from './stage.ts';

const on = stage('viewer_event_source');

/** Spec 5.12. */
describe('an EventSource of a browser', () => {
  test('an EventSource with a ticket receives each event of a conversation once, and an EventSource with a second ticket continues', async () => {
    const talk = await newTalk(on.product);
    const ticket = async () =>
      (await on.product.admin.post(`/conversations/${talk.id}/stream/ticket`)).body.url as string;
    const { page } = await on.open(`${on.product.origin}/docs`);
    /**
     * Resolves to the texts of the received messages once `text` has arrived, or when the
     * connection is closed permanently (`closed` is then true).
     */
    const hear = (url: string, text: string) =>
      page.evaluate(
        ([address, last]) =>
          new Promise<{ texts: string[]; id: string; closed: boolean }>((resolve) => {
            const source = new EventSource(address!);
            const texts: string[] = [];
            source.addEventListener('message', ({ data, lastEventId }) => {
              texts.push(JSON.parse(data as string).text as string);
              if (texts.at(-1) !== last) return;
              source.close();
              resolve({ texts, id: lastEventId, closed: false });
            });
            source.addEventListener('error', () => {
              if (source.readyState === EventSource.CLOSED) resolve({ texts, id: '', closed: true });
            });
          }),
        [url, text],
      );
    await talk.say('one');
    await talk.say('two');
    const url = `${await ticket()}&after=1`;
    const first = await hear(url, 'two');
    expect(first.texts).toEqual(['one', 'two']);
    expect(await hear(url, 'two')).toMatchObject({ texts: [], closed: true });
    await talk.say('three');
    const next = await hear(`${await ticket()}&after=${first.id}`, 'three');
    expect(next.texts).toEqual(['three']);
  });
});
