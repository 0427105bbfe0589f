import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { describeError } from '../parts/notices.tsx';
import type { Session } from '../session.ts';
import { AssignForm } from './assign.tsx';
import { postCommand } from './commands.ts';
import { CLOSE } from './slash.ts';
import { getTitle } from './conversation.ts';
import type { InboxConversation } from './conversation.ts';
import { KnownLabelForm, addLabel } from './labels.tsx';
import { selection as words } from './narrowing-texts.ts';
import type { Selection } from './selection.ts';
import { labels as LABELS, INBOX_WORDS } from './texts.ts';

interface Outcome {
  done: number;
  failed: readonly { conversation: InboxConversation; error: Error }[];
  /** Returns the words for this number of conversations. */
  say: (done: number) => string;
}

interface BarProps {
  session: Session;
  selection: Selection;
  /** Rows of the list. */
  items: readonly InboxConversation[];
  address: (id: string) => string;
}

/** Commands for the selected conversations, and what became of each. */
export function SelectionBar({ session, selection, items, address }: BarProps) {
  const { chosen, select } = selection;
  const [opened, setOpened] = useState<'assign' | 'label'>();
  const bulk = useBulk(selection);
  const isIdle = bulk.progress === undefined;
  if (chosen.length === 0 && isIdle && !bulk.outcome) return null;
  const run = (act: (id: string) => Promise<void>, say: Outcome['say']) => {
    setOpened(undefined);
    return bulk.run(act, say);
  };
  return (
    <section class="selection" aria-label={words.title}>
      {chosen.length > 0 && isIdle ? (
        <div class="selection-row">
          <Button word="✕" class="quiet" aria-label={words.clear} press={() => select([])} />
          <span role="status">{words.count(chosen.length)}</span>
          {chosen.length < items.length ? (
            <Button
              word={words.all(items.length)}
              class="quiet"
              press={() => select(items.map(({ id }) => id))}
            />
          ) : null}
          <Button word={INBOX_WORDS.assign} press={() => setOpened('assign')} />
          <Button word={LABELS.name} press={() => setOpened('label')} />
          <Button
            word={INBOX_WORDS.closeIt}
            press={() => bulk.run((id) => postCommand(id, CLOSE), words.closed)}
          />
        </div>
      ) : null}
      {bulk.progress === undefined ? null : <p role="status">{bulk.progress}</p>}
      {bulk.outcome ? <Report outcome={bulk.outcome} address={address} close={bulk.forget} /> : null}
      {opened === 'assign' ? (
        <Dialog title={words.assignMany(chosen.length)} close={() => setOpened(undefined)}>
          <AssignForm
            session={session}
            organization={session.organization.id}
            assign={(assignment) => run((id) => postCommand(id, '/assign', assignment), words.assigned)}
          />
        </Dialog>
      ) : null}
      {opened === 'label' ? (
        <Dialog title={words.labelMany(chosen.length)} close={() => setOpened(undefined)}>
          <KnownLabelForm add={(label) => run((id) => addLabel(id, label), words.labelled)} />
        </Dialog>
      ) : null}
    </section>
  );
}

interface ReportProps {
  outcome: Outcome;
  address: BarProps['address'];
  close: () => void;
}

function Report({ outcome: { done, failed, say }, address, close }: ReportProps) {
  const report = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The button that had the focus is gone.
    if (document.activeElement === document.body) report.current?.focus();
  }, []);
  return (
    <div class="outcome" ref={report} tabIndex={-1}>
      <div class="selection-row">
        <p role="status">{done === 0 ? words.none : say(done)}</p>
        <Button word="✕" class="quiet" aria-label={words.dismiss} press={close} />
      </div>
      {failed.length === 0 ? null : (
        <div class="problem" role="alert">
          <p>{words.failed(failed.length)}</p>
          <ul>
            {failed.map(({ conversation, error }) => (
              <li key={conversation.id}>
                <a href={address(conversation.id)}>{getTitle(conversation)}</a>: {describeError(error)}
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

/** Requests at once. More would use the rate limit of the agent up. */
const AT_ONCE = 4;

function useBulk({ chosen, select }: Selection) {
  const [progress, setProgress] = useState<string>();
  const [outcome, setOutcome] = useState<Outcome>();
  const run = async (act: (id: string) => Promise<void>, say: Outcome['say']) => {
    if (progress !== undefined) return;
    setOutcome(undefined);
    const waiting = [...chosen];
    const failed: Outcome['failed'][number][] = [];
    let done = 0;
    const show = () => setProgress(words.progress(done + failed.length, chosen.length));
    const work = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const conversation = next;
        await act(conversation.id).then(
          () => (done += 1),
          (error: unknown) => failed.push({ conversation, error: error as Error }),
        );
        show();
      }
    };
    show();
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    select(failed.map(({ conversation }) => conversation.id));
    setProgress(undefined);
    setOutcome({ done, failed, say });
  };
  return { progress, outcome, run, forget: () => setOutcome(undefined) };
}
