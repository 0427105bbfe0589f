import type { TimelineMessage } from '@parlance/client';
import { client } from '../session.ts';

/** See spec 6.5. */
export async function postCommand(
  conversation: string,
  text: string,
  meta?: TimelineMessage['meta'],
): Promise<void> {
  const body = { type: 'command', text, meta } as const;
  await client.call('POST /conversations/{id}/messages', { path: { id: conversation }, body });
}
