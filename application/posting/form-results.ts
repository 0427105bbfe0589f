import { resolveResults } from '../../domain/messages/results.ts';
import type { CompletableForm } from '../../domain/messages/results.ts';
import type { ConversationForm } from '../../domain/conversations/conversation.ts';
import type { MessageDraft } from '../../domain/messages/message.ts';
import { unprocessable, withinMessage } from '../../domain/refusal.ts';
import { includesScope } from '../../domain/scope.ts';
import { findTopics } from '../../store/conversations/find-conversations.ts';
import { findFormFacts, findSomeForms } from '../../store/records/forms.ts';
import type { FormFacts } from '../../store/records/forms.ts';
import { organizationContext } from '../../store/records/organizations.ts';
import type { Posting } from './facts.ts';

/** Different forms in the results of one request: the fields of all of them are read. */
const MAX_FORMS = 100;
/** Forms that an error names. */
const MAX_OFFERED = 10;

/**
 * Compares the results of messages with their forms (spec 6.8): forms of the conversation's
 * organization and of all above it, forms that its categories list, and forms that are open in the
 * conversation, in their state of now and of when they were opened. Returns the drafts with the
 * types of forms filled in. Throws DomainError `unprocessable` with the path in the request.
 */
export async function resolveFormResults(drafts: MessageDraft[], posting: Posting): Promise<MessageDraft[]> {
  const ids = [...new Set(drafts.flatMap(({ results }) => results?.map(({ form }) => form) ?? []))];
  if (ids.length === 0) return drafts;
  if (ids.length > MAX_FORMS)
    throw unprocessable(`A request completes at most ${MAX_FORMS} different forms.`);
  const { place } = posting;
  const [context, { forms: open }] = await Promise.all([
    organizationContext(place.organization),
    findTopics(place.id),
  ]);
  const listed = [
    ...(context?.categories.flatMap(({ forms }) => forms) ?? []),
    ...open.map(({ form }) => form),
  ];
  const found = await findFormFacts({ path: context?.path ?? [place.organization], listed }, ids);
  const forms = mergeCompletableForms(found, open);
  const offered = ids.every((id) => forms.has(id)) ? [] : await listOfferedForms(open, posting);
  return drafts.map((draft, at) => {
    const { results } = draft;
    if (!results) return draft;
    const resolve = () => resolveResults(results, { forms, offered });
    return { ...draft, results: withinMessage(at, drafts.length, resolve) };
  });
}

/** An open form may have been changed or removed since: what it was opened as holds, too. */
function mergeCompletableForms(
  found: readonly FormFacts[],
  open: readonly ConversationForm[],
): Map<string, CompletableForm> {
  const forms = new Map<string, CompletableForm>();
  for (const { _id, name, type, fields } of found) {
    forms.set(_id, { names: [name], types: [type], keys: fields.map(({ key }) => key) });
  }
  for (const { form, name, type, values } of open) {
    const now = forms.get(form) ?? { names: [], types: [], keys: [] };
    forms.set(form, {
      names: [...new Set([...now.names, name])],
      types: [...new Set([...now.types, type])],
      keys: now.keys.length === 0 ? [] : [...new Set([...now.keys, ...Object.keys(values)])],
    });
  }
  return forms;
}

/** A caller who may not list forms gets the names of open forms alone. */
async function listOfferedForms(
  open: readonly ConversationForm[],
  { principal, place }: Posting,
): Promise<string[]> {
  const own = includesScope(principal.scope, 'bot')
    ? await findSomeForms(place.organization, MAX_OFFERED)
    : [];
  const named = [
    ...open.map(({ form, name }) => ({ id: form, name })),
    ...own.map(({ _id, name }) => ({ id: _id, name })),
  ];
  const unique = new Map(named.map(({ id, name }) => [id, `"${name}" (${id})`]));
  return [...unique.values()].slice(0, MAX_OFFERED);
}
