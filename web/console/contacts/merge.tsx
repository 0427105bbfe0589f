import type { Contact } from '@parlance/client';
import { useState } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import { Pending, Problem } from '../parts/notices.tsx';
import { client } from '../session.ts';
import { TEXTS } from '../texts.ts';
import { useAction } from '../use-action.ts';
import { useLoad, useQuery } from '../use-query.ts';
import { getContactName } from './contact.ts';
import { FoundContacts } from './list.tsx';
import { previewMerge } from './merge-preview.ts';
import { words } from './texts.ts';

interface MergeProps {
  contact: Contact;
  /** Gets the id of the contact that stays. */
  merged: (survivor: string) => void;
}

/** Finds the other contact, and then shows what stays and what is lost. */
export function MergeForm({ contact, merged }: MergeProps) {
  const [text, setText] = useState('');
  const [other, setOther] = useState<string>();
  if (other !== undefined)
    return <Preview contact={contact} other={other} merged={merged} back={() => setOther(undefined)} />;
  return (
    <>
      <p>{words.mergeFind}</p>
      <FoundContacts
        text={text}
        search={setText}
        empty={words.none}
        organization={contact.organization}
        besides={contact.id}
      >
        {({ id }, content) => (
          <button type="button" class="quiet" onClick={() => setOther(id)}>
            {content}
          </button>
        )}
      </FoundContacts>
    </>
  );
}

interface PreviewProps extends MergeProps {
  other: string;
  back: () => void;
}

function Preview({ contact, other, merged, back }: PreviewProps) {
  const { value, ...query } = useQuery('GET /contacts', { query: { id: other } });
  const [isSwapped, setSwapped] = useState(false);
  const { isRunning, error, run } = useAction();
  const [found] = value ?? [];
  if (!value) return <Pending query={query} />;
  if (!found) return <p>{words.gone}</p>;
  const [survivor, gone] = isSwapped ? [found, contact] : [contact, found];
  const merge = () =>
    run(async () => {
      await client.call('POST /contacts/{id}/merge', {
        path: { id: survivor.id },
        body: { contact: gone.id },
      });
      merged(survivor.id);
    });
  return (
    <>
      <p>
        <strong>{words.mergeInto(getContactName(survivor))}</strong>{' '}
        <Button word={words.mergeSwap} class="quiet" press={() => setSwapped(!isSwapped)} />
      </p>
      <Outcome survivor={survivor} gone={gone} />
      <p>{words.mergeWhat(getContactName(gone))}</p>
      <Moving contact={gone.id} />
      <Problem error={error} />
      <footer>
        <Button word={words.mergeBack} press={back} />
        <Button word={words.mergePress} class="danger" disabled={isRunning} press={merge} />
      </footer>
    </>
  );
}

function Outcome({ survivor, gone }: { survivor: Contact; gone: Contact }) {
  return (
    <table class="merge">
      <thead>
        <tr>
          <th scope="col">{words.mergeField}</th>
          <th scope="col">{words.mergeStays}</th>
          <th scope="col">{words.mergeLost}</th>
        </tr>
      </thead>
      <tbody>
        {previewMerge(survivor, gone).map(({ path, label, stays, isAdded, lost }) => (
          <tr key={path}>
            <th scope="row">{label}</th>
            <td>
              <bdi>{stays}</bdi> {isAdded ? <span class="badge active">{words.mergeAdded}</span> : null}
            </td>
            <td>
              {lost === undefined ? (
                '–'
              ) : (
                <del>
                  <bdi>{lost}</bdi>
                </del>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Moving({ contact }: { contact: string }) {
  const { value } = useLoad(contact, async (signal) => {
    const query = { contact, limit: 1, select: 'id' };
    const { headers } = await client.callWithResponse('GET /conversations', { query, signal });
    return Number(headers.get('X-Total'));
  });
  return <p role="status">{value === undefined ? TEXTS.loading : words.mergeConversations(value)}</p>;
}
