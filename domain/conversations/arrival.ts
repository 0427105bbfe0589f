import type { Caller } from './caller.ts';
import type { MessageDraft } from '../messages/message.ts';

/** A message about to be processed, and who posted it. */
export interface IncomingMessage {
  caller: Caller;
  draft: MessageDraft;
}

/** The user a message speaks for: what "the sender" means in the rules of spec 6. */
export function getSender({ caller, draft }: IncomingMessage): string {
  return draft.facts?.sender?.user ?? draft.user ?? caller.user;
}
