import type { Contact } from '@parlance/client';
import { useState } from 'preact/hooks';
import { TextField } from '../parts/fields.tsx';
import { ActionForm } from '../parts/form.tsx';
import { refuseField } from '../parts/refusals.ts';
import type { InboxConversation } from '../inbox/conversation.ts';
import { goTo } from '../route.ts';
import { client } from '../session.ts';
import { useLoad } from '../use-query.ts';
import { FILES } from './history.tsx';
import { words } from './texts.ts';

interface Props {
  contact: Contact;
  name: string;
  conversations: readonly InboxConversation[];
}

export function EraseForm({ contact, name, conversations }: Props) {
  const [typed, setTyped] = useState('');
  const { value: counts } = useCounts(conversations);
  const erase = async () => {
    if (fold(typed) !== fold(name)) throw refuseField('name', words.eraseWrong);
    await client.call('DELETE /contacts/{id}', { path: { id: contact.id } });
    goTo('contacts');
  };
  return (
    <ActionForm word={words.erase} look="danger" submit={erase}>
      <p>{words.eraseWhat}</p>
      <ul class="plain">
        <li>{words.eraseProfile}</li>
        {conversations.length === 0 ? null : (
          <>
            <li>{words.eraseConversations(conversations.length)}</li>
            <li>{counts === undefined ? '…' : words.eraseMessages(counts.messages)}</li>
            {counts?.files ? <li>{words.eraseFiles(counts.files)}</li> : null}
            <li>{words.eraseDeliveries}</li>
          </>
        )}
      </ul>
      <TextField
        label={words.eraseType(name)}
        path="name"
        required
        autocomplete="off"
        value={typed}
        set={setTyped}
      />
    </ActionForm>
  );
}

function useCounts(conversations: readonly InboxConversation[]) {
  const ids = conversations.map(({ id }) => id);
  const countAll = async (given: Record<string, string>, signal: AbortSignal) => {
    const counts = await Promise.all(ids.map((id) => countMessages(id, given, signal)));
    return counts.reduce((sum, count) => sum + count, 0);
  };
  return useLoad(ids.join(' '), async (signal) => {
    const [messages, files] = await Promise.all([countAll({}, signal), countAll(FILES, signal)]);
    return { messages, files };
  });
}

async function countMessages(id: string, given: Record<string, string>, signal: AbortSignal) {
  const query = { ...given, limit: 1, select: 'id' };
  const path = { id };
  const call = 'GET /conversations/{id}/timeline';
  const { headers } = await client.callWithResponse(call, { path, query, signal });
  return Number(headers.get('X-Total'));
}

/** Ignores differences that a reader does not see. */
function fold(text: string): string {
  return text.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase();
}
