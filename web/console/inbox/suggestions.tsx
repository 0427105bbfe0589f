import { useState } from 'preact/hooks';
import type { Session } from '../session.ts';
import { INBOX_WORDS } from './texts.ts';
import { useQuery } from '../use-query.ts';
import { useColleagues } from './assign.tsx';
import { findTrigger, matchAnswers, matchPeople } from './suggest.ts';
import type { Suggestion } from './suggest.ts';

interface SuggestionOptions {
  text: string;
  isNote: boolean;
  session: Session;
  organization: string;
  choose: (suggestion: Suggestion) => void;
}

export interface Suggestions {
  options: readonly Suggestion[];
  active: number;
  choose: (suggestion: Suggestion) => void;
  /** Returns whether the list has handled the key. */
  takeKey: (event: KeyboardEvent) => boolean;
}

const MANY = 1_000;

/** `/` offers knowledge items as answers, `@` in a note offers colleagues. */
export function useSuggestions({
  text,
  isNote,
  session,
  organization,
  choose,
}: SuggestionOptions): Suggestions {
  const trigger = findTrigger(text, isNote);
  const [dismissed, setDismissed] = useState('');
  const [active, setActive] = useState(0);
  const answers = useQuery(trigger?.sign === '/' ? 'GET /kbitems' : null, {
    query: { select: 'title,content,tags', sort: 'title', limit: MANY },
  });
  const people = useColleagues(session, organization, trigger?.sign === '@');
  const found =
    trigger === undefined || dismissed === text
      ? []
      : trigger.sign === '/'
        ? matchAnswers(answers.value ?? [], trigger.word)
        : matchPeople(people.value ?? [], trigger.word);
  const at = Math.min(active, found.length - 1);
  const take = (suggestion: Suggestion) => {
    setActive(0);
    choose(suggestion);
  };
  const takeKey = (event: KeyboardEvent) => {
    const chosen = found[at];
    if (!chosen) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setActive((at + step + found.length) % found.length);
    else if (event.key === 'Escape') setDismissed(text);
    else if (event.key === 'Tab' || (event.key === 'Enter' && !event.ctrlKey && !event.metaKey)) take(chosen);
    else return false;
    event.preventDefault();
    return true;
  };
  return { options: found, active: at, choose: take, takeKey };
}

export const LIST_ID = 'suggestions';

export function getOptionId(at: number): string {
  return `${LIST_ID}-${at}`;
}

export function SuggestionList({ options, active, choose }: Suggestions) {
  if (options.length === 0) return null;
  return (
    <ul class="suggestions" role="listbox" id={LIST_ID} aria-label={INBOX_WORDS.suggestions}>
      {options.map((option, at) => (
        // The field keeps the focus, so that a press does not end the writing.
        <li
          key={option.id}
          id={getOptionId(at)}
          role="option"
          aria-selected={at === active}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => choose(option)}
        >
          <strong>{option.title}</strong> <span>{option.detail}</span>
        </li>
      ))}
    </ul>
  );
}
