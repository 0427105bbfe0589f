import type { Contact } from '@parlance/client';
import { ActionForm } from '../parts/form.tsx';
import { client } from '../session.ts';
import { words } from './texts.ts';

type Blockable = Pick<Contact, 'id' | 'blocked'>;

/** Blocks or unblocks the contact (spec 4.13). */
export async function setBlocked({ id }: Blockable, blocked: boolean): Promise<void> {
  await client.call('PUT /contacts/{id}/blocked', { path: { id }, body: { blocked } });
}

interface Props {
  contact: Blockable;
  /** Called after the contact was blocked. */
  done: () => void;
}

/** Confirms that messages of the contact are refused. */
export function BlockForm({ contact, done }: Props) {
  return (
    <ActionForm word={words.block} look="danger" submit={() => setBlocked(contact, true).then(done)}>
      <p>{words.blockWhat}</p>
      <p>{words.blockStill}</p>
    </ActionForm>
  );
}
