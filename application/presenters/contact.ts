import { presentWithSettings } from '../../domain/shown.ts';
import type { ContactDocument } from '../../store/conversations/contacts.ts';

const FIELDS = [
  'organization',
  'conversation',
  'profile',
  'settings',
  'meta',
  'createdBy',
  'createdAt',
  'updatedAt',
] as const;

/** A contact as the API and webhooks show it. */
export function presentContact(contact: ContactDocument): Record<string, unknown> {
  return presentWithSettings(contact, FIELDS);
}
