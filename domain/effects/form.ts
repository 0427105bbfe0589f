import type { Effect } from '../conversations/change.ts';
import type { ConversationForm, ConversationState } from '../conversations/conversation.ts';
import type { MessageDraft } from '../messages/message.ts';
import { unprocessable } from '../errors.ts';

/** Parses `+<name>` or `-<name>` (spec 6). `meta.form`, an id or name, overrides the name. */
export function parseForm(draft: Pick<MessageDraft, 'text' | 'meta'>): { sign: '+' | '-'; form: string } {
  const [, sign, name = ''] = /^([+-])([\s\S]*)$/.exec(draft.text) ?? [];
  const form = readFormName(draft) ?? name.trim();
  if (sign === undefined || form === '') {
    throw unprocessable('The text of a form message is "+<name>" to add a form or "-<name>" to remove it.');
  }
  return { sign: sign === '+' ? '+' : '-', form };
}

export function readFormName({ meta }: Pick<MessageDraft, 'meta'>): string | undefined {
  const form = meta?.['form'] ?? undefined;
  if (form === undefined || (typeof form === 'string' && form !== '')) return form;
  throw unprocessable('must be the id or name of a form', 'meta.form');
}

interface FormCandidate {
  _id: string;
  organization: string;
}

/**
 * Chooses the form with this id, else the first in `listed`, else the oldest form of the nearest
 * organization (spec 6.8). `path` begins with the root. `forms` must begin with the oldest form.
 */
export function chooseForm<T extends FormCandidate>(
  forms: readonly T[],
  { path, listed, idOrName }: { path: readonly string[]; listed: readonly string[]; idOrName: string },
): T | null {
  const rank = ({ _id, organization }: FormCandidate) => {
    if (_id === idOrName) return -1;
    const place = listed.indexOf(_id);
    return place >= 0 ? place : listed.length + path.length - path.indexOf(organization);
  };
  return forms.toSorted((one, other) => rank(one) - rank(other))[0] ?? null;
}

/** Returns the open form with this id or name. Throws DomainError `unprocessable` without one. */
export function openForm(state: ConversationState, form: string): ConversationForm {
  const open = findOpenForm(state, form);
  if (!open) throw unprocessable(`The form "${form}" is not open in this conversation.`);
  return open;
}

/** Adding an open form again keeps its values. */
export function formEffects(state: ConversationState, draft: MessageDraft): Effect[] {
  const { sign, form } = parseForm(draft);
  if (sign === '-') {
    const open = openForm(state, form);
    if (open.type === 'static')
      throw unprocessable(`The form "${open.name}" is static and cannot be removed.`);
    return [{ kind: 'formRemoved', form: open.form }];
  }
  const facts = draft.facts?.form;
  if (!facts) throw unprocessable(`There is no form "${form}".`);
  const category = resolveCategory(state, draft);
  if (!category.forms.includes(facts.id)) {
    throw unprocessable(`The form "${facts.name}" is not listed under the category "${category.name}".`);
  }
  if (findOpenForm(state, facts.id)) return [];
  const { id, name, type } = facts;
  const listed = { category: category.name, categoryIndex: category.index };
  return [{ kind: 'form', form: { form: id, name, type, ...listed, values: {} } }];
}

function findOpenForm(state: ConversationState, form: string): ConversationForm | undefined {
  return state.forms.find((open) => open.form === form) ?? state.forms.find((open) => open.name === form);
}

// The message's category overrides the conversation's. In a message an index overrides a name. The
// name of the conversation's category overrides its index: the list may have changed since.
function resolveCategory(
  state: ConversationState,
  { meta, facts }: MessageDraft,
): { name: string; forms: string[]; index: number } {
  const own = { index: meta?.['categoryIndex'] ?? undefined, name: meta?.['category'] ?? undefined };
  const current =
    state.category === undefined ? { index: state.categoryIndex, name: undefined } : { name: state.category };
  const isOwn = own.index !== undefined || own.name !== undefined;
  const { index, name }: { index?: unknown; name: unknown } = isOwn ? own : current;
  if (index === undefined && name === undefined) {
    throw unprocessable('A form is listed under a category: the conversation has none, and meta names none.');
  }
  const categories = facts?.categories ?? [];
  const at = categories.findIndex((one, place) =>
    index === undefined ? one.name === name : index === place || index === String(place),
  );
  const category = categories[at];
  if (!category) throw unprocessable(`The organization has no category ${JSON.stringify(index ?? name)}.`);
  return { ...category, index: at };
}
