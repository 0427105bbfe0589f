import type { Effect } from '../conversations/change.ts';
import type { ConversationState } from '../conversations/conversation.ts';
import type { FormResult, MessageDraft } from '../messages/message.ts';
import { unprocessable, withinPath } from '../refusal.ts';

/**
 * What a results message does (spec 6.8): each form it completes leaves the open ones and joins the
 * conversation's results. A static form always stays active (spec 5.5): it stays open, emptied.
 */
export function resultsEffects(state: ConversationState, draft: MessageDraft): Effect[] {
  const results = draft.results ?? [];
  return results.flatMap((result, at) =>
    withinPath(`results.${at}`, () => completionEffects(state, draft.id, result)),
  );
}

function completionEffects(
  state: ConversationState,
  message: string,
  { form, formName }: FormResult,
): Effect[] {
  const open = state.forms.find((one) => one.form === form);
  const name = formName ?? open?.name;
  if (name === undefined) throw unprocessable('is required for a form that is not open here', 'formName');
  const { category, categoryIndex } = open ?? state;
  const result = {
    message,
    form,
    name,
    ...(category === undefined ? {} : { category }),
    ...(categoryIndex === undefined ? {} : { categoryIndex }),
  };
  return [...(open ? [closeFormEffect(open)] : []), { kind: 'result', result }];
}

function closeFormEffect(open: ConversationState['forms'][number]): Effect {
  return open.type === 'static'
    ? { kind: 'form', form: { ...open, values: {} } }
    : { kind: 'formRemoved', form: open.form };
}
