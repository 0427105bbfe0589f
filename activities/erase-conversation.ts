import { decideErasure } from '../domain/conversations/decide.ts';
import { storeDate } from '../store/cluster/clock.ts';
import type { ConversationState } from '../domain/conversations/conversation.ts';
import { findConversationsOf, replaceConversation } from '../store/conversations/contacts.ts';
import { loadConversation } from '../store/conversations/commits.ts';
import {
  markDeleted,
  eraseRecords,
  findTombstones,
  dropTombstones,
  markErased,
  removeTombstones,
} from '../store/conversations/erase-conversation.ts';
import type { FileContents } from '../store/files/contents.ts';
import { removeConversationFiles } from '../store/files/removal.ts';
import type { Activities, ErasureResult } from '../workflows/contract.ts';
import { parseCommit } from './commit.ts';
import type { Commit } from './commit.ts';
import { finishCommit, selectSubscribers, writeRows } from './write-rows.ts';
import type { FinishDeps } from './write-rows.ts';
import { eventId } from '../domain/events/event-name.ts';

export interface EraseDeps extends FinishDeps {
  files: FileContents;
  eraseHistories: (conversation: string) => Promise<void>;
}

/** Creates the steps of an erasure (spec 5.8), each repeatable. */
export function createEraseConversation(deps: EraseDeps) {
  return {
    /**
     * Creates a tombstone. Returns false for an unknown conversation, `changed` if the version is
     * not `ifVersion`.
     */
    async buryConversation({ id, conversation, caller, ifVersion }): Promise<ErasureResult> {
      for (;;) {
        const found = await loadConversation(conversation);
        const { state } = found;
        if (!state) return (await findTombstones(conversation)) !== null;
        if (ifVersion !== undefined && state.version !== ifVersion) return 'changed';
        // Recovery must not write the last commit's rows after the tombstone.
        const { commit: last, results } = found;
        if (last) await finishCommit(deps, { _id: conversation, commit: last, results });
        const at = storeDate();
        const keepsContact = await leavesContact(state);
        const { base, changes } = decideErasure(state, { id, caller, now: at.toISOString(), keepsContact });
        const commit: Commit = { base, changes, services: await selectSubscribers(base, changes) };
        if (await markDeleted(state, { commit: JSON.stringify(commit), at })) return true;
      }
    },

    async eraseConversation(conversation) {
      const buried = await findTombstones(conversation);
      if (buried === null) return;
      const commit = parseCommit(buried);
      await deps.eraseHistories(conversation);
      await eraseRecords({
        conversation,
        contact: commit.base.contact,
        butEvents: buildErasureEventIds(commit),
      });
      await removeConversationFiles(conversation, deps);
      await writeRows(deps, commit, []);
      await markErased(conversation, storeDate());
    },

    async finishErasure(conversation) {
      const buried = await findTombstones(conversation);
      if (buried === null) return;
      await removeTombstones({ conversation, butEvents: buildErasureEventIds(parseCommit(buried)) });
      await dropTombstones(conversation);
    },
  } satisfies Partial<Activities>;
}

/** Returns whether the contact has another conversation, which then becomes the contact's. */
async function leavesContact({ id, contact }: Pick<ConversationState, 'id' | 'contact'>): Promise<boolean> {
  if (contact === undefined) return false;
  const [next] = (await findConversationsOf(contact)).filter((other) => other !== id);
  if (next === undefined) return false;
  await replaceConversation(contact, { conversation: id, next });
  return true;
}

function buildErasureEventIds({ changes }: Commit): string[] {
  return changes.flatMap(({ id }) => [eventId(id, 1), eventId(id, 2)]);
}
