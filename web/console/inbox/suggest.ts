import { parseSlash } from './slash.ts';

/** An answer or a colleague that the text may continue with. */
export interface Suggestion {
  id: string;
  title: string;
  detail: string;
  /** Replaces the sign and the word after it. */
  insert: string;
  /** Set for a colleague. */
  user?: string;
}

export interface Trigger {
  sign: '/' | '@';
  word: string;
}

const MOST = 8;

/**
 * A slash counts at the begin of the text only, an at sign at the begin of a word of a note.
 * Returns undefined for a whole command.
 */
export function findTrigger(text: string, isNote: boolean): Trigger | undefined {
  const [, answer] = /^\/([^\n]*)$/.exec(text) ?? [];
  const slash = parseSlash(text);
  if (slash && 'command' in slash) return undefined;
  if (answer !== undefined) return { sign: '/', word: answer };
  const [, name] = (isNote && /(?:^|\s)@([^\s@]*)$/.exec(text)) || [];
  return name === undefined ? undefined : { sign: '@', word: name };
}

interface Answer {
  id: string;
  title: string;
  content?: string;
  tags?: readonly string[];
}

/** An answer whose title begins with the word comes first. */
export function matchAnswers(answers: readonly Answer[], word: string): Suggestion[] {
  const wanted = word.trim().toLowerCase();
  const rank = ({ title, content = '', tags = [] }: Answer) => {
    if (title.toLowerCase().startsWith(wanted)) return 0;
    if ([title, ...tags].some((one) => one.toLowerCase().includes(wanted))) return 1;
    return content.toLowerCase().includes(wanted) ? 2 : undefined;
  };
  const found = answers.flatMap((answer) => {
    const place = rank(answer);
    return place === undefined || !answer.content ? [] : [{ answer, place }];
  });
  return found
    .sort((a, b) => a.place - b.place)
    .slice(0, MOST)
    .map(({ answer: { id, title, content = '' } }) => ({ id, title, detail: content, insert: content }));
}

export function matchPeople(people: readonly { id: string; name: string }[], word: string): Suggestion[] {
  const wanted = word.toLowerCase();
  return people
    .filter(({ name }) =>
      name
        .toLowerCase()
        .split(/\s+/)
        .some((part) => part.startsWith(wanted)),
    )
    .slice(0, MOST)
    .map(({ id, name }) => ({ id, title: name, detail: '', insert: `@${name} `, user: id }));
}

export function applySuggestion(text: string, { insert }: Suggestion): string {
  return text.startsWith('/') ? insert : text.replace(/@[^\s@]*$/, insert);
}

/** Returns the ids of the people whose names the text still has. `mentioned`: names by id. */
export function findMentioned(text: string, mentioned: Readonly<Record<string, string>>): string[] {
  return Object.entries(mentioned)
    .filter(([, name]) => text.includes(`@${name}`))
    .map(([id]) => id);
}
