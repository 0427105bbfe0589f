import { useState } from 'preact/hooks';
import { MAX_LABEL_CHARACTERS } from '../../../domain/conversations/labels.ts';
import { SuggestField } from '../parts/fields.tsx';
import { ActionForm } from '../parts/form.tsx';
import { Problem } from '../parts/notices.tsx';
import { useAction } from '../use-action.ts';
import { useQuery } from '../use-query.ts';
import { postCommand } from './commands.ts';
import type { InboxConversation } from './conversation.ts';
import { labels as words } from './texts.ts';

export const addLabel = (conversation: string, label: string) => postCommand(conversation, `/label ${label}`);

interface LabelsProps {
  conversation: InboxConversation;
  done: () => void;
}

/** Labels with buttons that remove them, and a form that adds a label. */
export function Labels({ conversation: { id, labels = [] }, done }: LabelsProps) {
  const { isRunning, error, run } = useAction();
  const remove = (label: string) => run(() => postCommand(id, `/unlabel ${label}`).then(done));
  return (
    <>
      {labels.length === 0 ? null : (
        <ul class="chips labels">
          {labels.map((label) => (
            <li key={label}>
              <button
                type="button"
                class="chip"
                disabled={isRunning}
                aria-label={words.remove(label)}
                onClick={() => void remove(label)}
              >
                <span class="name">{label}</span> ✕
              </button>
            </li>
          ))}
        </ul>
      )}
      <Problem error={error} />
      <LabelForm look="inline" except={labels} add={(label) => addLabel(id, label).then(done)} />
    </>
  );
}

interface LabelFormProps {
  add: (label: string) => Promise<unknown>;
  /** Labels that are not suggested. */
  except?: readonly string[];
  look?: 'inline';
}

export function LabelForm({ add, except = [], look }: LabelFormProps) {
  const [label, setLabel] = useState('');
  const known = useKnownLabels();
  const submit = async () => {
    await add(label);
    setLabel('');
  };
  return (
    <ActionForm word={words.add} field="text" submit={submit} {...(look && { look })}>
      <SuggestField
        label={words.name}
        path="text"
        required
        maxLength={MAX_LABEL_CHARACTERS}
        value={label}
        set={setLabel}
        values={known.filter((one) => !except.includes(one))}
      />
    </ActionForm>
  );
}

const NEWEST = { select: 'labels', labels: '', sort: '-lastMessageAt', limit: 500 };

export function useKnownLabels(isWanted = true): string[] {
  const { value: newest = [] } = useQuery(isWanted ? 'GET /conversations' : null, { query: NEWEST });
  return [...new Set(newest.flatMap(({ labels = [] }) => labels))].sort((a, b) => a.localeCompare(b));
}
