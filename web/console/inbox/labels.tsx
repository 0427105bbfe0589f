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

export function Labels({ conversation: { id, labels = [] }, done }: LabelsProps) {
  return (
    <EditableLabels
      labels={labels}
      known={useKnownLabels()}
      add={(label) => addLabel(id, label).then(done)}
      remove={(label) => postCommand(id, `/unlabel ${label}`).then(done)}
    />
  );
}

interface EditableProps extends Pick<LabelFormProps, 'add' | 'known' | 'name'> {
  labels: readonly string[];
  remove: (label: string) => Promise<unknown>;
}

/** Labels with buttons that remove them, and a form that adds a label. */
export function EditableLabels({ labels, known, add, remove, name }: EditableProps) {
  const { isRunning, error, run } = useAction();
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
                onClick={() => void run(() => remove(label))}
              >
                <span class="name">{label}</span> ✕
              </button>
            </li>
          ))}
        </ul>
      )}
      <Problem error={error} />
      <LabelForm look="inline" known={known.filter((one) => !labels.includes(one))} {...{ add, name }} />
    </>
  );
}

interface LabelFormProps {
  add: (label: string) => Promise<unknown>;
  /** Name of the field. */
  name?: string | undefined;
  /** Labels that are suggested. */
  known: readonly string[];
  look?: 'inline';
}

function LabelForm({ add, known, look, name = words.name }: LabelFormProps) {
  const [label, setLabel] = useState('');
  const submit = async () => {
    await add(label);
    setLabel('');
  };
  return (
    <ActionForm word={words.add} field="text" submit={submit} {...(look && { look })}>
      <SuggestField
        label={name}
        path="text"
        required
        maxLength={MAX_LABEL_CHARACTERS}
        value={label}
        set={setLabel}
        values={known}
      />
    </ActionForm>
  );
}

/** Suggests the labels of conversations. */
export function KnownLabelForm(props: Omit<LabelFormProps, 'known'>) {
  return <LabelForm {...props} known={useKnownLabels()} />;
}

const NEWEST = { select: 'labels', labels: '', sort: '-lastMessageAt', limit: 500 };

export function useKnownLabels(isWanted = true): string[] {
  const { value: newest = [] } = useQuery(isWanted ? 'GET /conversations' : null, { query: NEWEST });
  return [...new Set(newest.flatMap(({ labels = [] }) => labels))].sort((a, b) => a.localeCompare(b));
}
