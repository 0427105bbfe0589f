import type { MessageDraft } from './message.ts';

/**
 * The users and bots that a mention names in `meta.targetUser` and `meta.targetBot`, each an id or
 * a list (spec 6.9).
 */
export function mentionTargets({ type, meta }: Pick<MessageDraft, 'type' | 'meta'>): string[] {
  if (type !== 'mention') return [];
  const named: unknown[] = [meta?.['targetUser'], meta?.['targetBot']].flat();
  return [...new Set(named.filter((id) => typeof id === 'string'))];
}
