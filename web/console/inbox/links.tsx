import { workflowAddress } from '../../../domain/operators/saved-views.ts';
import type { Session } from '../session.ts';
import { TEXTS } from '../texts.ts';
import type { Conversation } from './conversation.ts';

export interface LinksProps {
  conversation: Conversation;
  temporal: Session['temporal'];
}

export function Links({ conversation, temporal }: LinksProps) {
  const workflow = `conversation:${conversation.id}`;
  return (
    <>
      <p>
        <a href={conversation.url} target="_blank" rel="noreferrer">
          {TEXTS.inbox.chatPage}
        </a>
      </p>
      {temporal === undefined ? null : (
        <p>
          <a
            href={workflowAddress(workflow, temporal.ui, temporal.namespace)}
            target="_blank"
            rel="noreferrer"
          >
            {TEXTS.inbox.workflow}
          </a>
        </p>
      )}
    </>
  );
}
