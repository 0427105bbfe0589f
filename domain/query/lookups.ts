import { NO_VISIBLE_CHARACTER, isBlank } from '../characters.ts';
import { parseCommand } from '../effects/command.ts';
import type { ConversationCommand } from '../effects/command.ts';
import { parseField } from '../effects/setting.ts';
import { parseForm } from '../effects/form.ts';
import type { Setting } from '../effects/setting.ts';
import { mentionTargets } from '../events/conversation-events.ts';
import type { MessageDraft } from '../messages/message.ts';
import { unprocessable } from '../errors.ts';

/**
 * The lookups that a message needs. Each comment begins with the field of MessageFacts that the
 * lookup fills.
 */
export interface Lookups {
  /** `categories`: of the conversation's organization. */
  categories?: true;
  /** `form`: the form with this id, else this name. */
  form?: string;
  /** `assignees`: users whom the caller may see. */
  assignees?: string[];
  channels?: string[] | 'all';
  /** `contactValue`: normalized (spec 4.4). The lookup rejects invalid and taken values. */
  contact?: { field: string; value: string };
}

/** Throws DomainError for a malformed message (spec 6), before any read. */
export function collectLookups(draft: Pick<MessageDraft, 'type' | 'text' | 'meta'>): Lookups {
  switch (draft.type) {
    case 'command':
      return commandLookups(parseCommand(draft));
    case 'field': {
      const field = parseField(draft);
      if (field.target === 'form') return { form: field.form };
      if (field.target === 'meta' || field.value === null) return {};
      assertVisibleValue(field.value, `.${field.field}`);
      return { contact: { field: field.field, value: field.value } };
    }
    case 'form':
      return { form: parseForm(draft).form, categories: true };
    case 'mention': {
      const users = mentionTargets(draft);
      return users.length > 0 ? { assignees: users } : {};
    }
    default:
      return {};
  }
}

function commandLookups(command: ConversationCommand): Lookups {
  switch (command.name) {
    case 'set':
      return settingLookups(command.setting);
    case 'assign':
      return {
        ...(command.users.length > 0 ? { assignees: command.users } : {}),
        ...(command.team ? { channels: [command.team] } : {}),
      };
    case 'notify':
      return { channels: command.channels };
    default:
      return {};
  }
}

function settingLookups(setting: Setting): Lookups {
  if (setting.kind !== 'field') return {};
  if (typeof setting.value === 'string') assertVisibleValue(setting.value, `/set ${setting.field}`);
  return { categories: true };
}

function assertVisibleValue(value: string, what: string): void {
  if (isBlank(value)) throw unprocessable(`The value of ${what} ${NO_VISIBLE_CHARACTER}.`);
}
