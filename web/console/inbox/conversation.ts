/** Conversations and messages as the console displays them (spec 5.1, 6.1). */

import { hasVisibleText, stripDirection } from '../../components/shown-text.ts';
import type { ChatMessage as Shown } from '../../components/types.ts';

export interface Participant {
  user: string | { id: string; name?: string; avatar?: string; status?: string };
  unreadCount: number;
  active: boolean;
  inbox: boolean;
  accepted: boolean;
}

export interface Contact {
  id: string;
  profile: Record<string, unknown> & { name?: string; email?: string; telephone?: string };
}

export interface Conversation {
  id: string;
  organization: string;
  url: string;
  name?: string;
  status: 'queued' | 'active' | 'closed';
  category?: string;
  language?: string;
  contact?: Contact | string;
  participants: Participant[];
  meta: Record<string, unknown>;
  forms: { form: string; name: string; type: string; values: Record<string, unknown> }[];
  results: { message: string; form: string; name: string }[];
  createdAt: string;
  updatedAt: string;
  lastMessageAt: string;
}

export interface TimelineMessage extends Omit<Shown, 'type' | 'at' | 'author'> {
  type: string;
  user?: string;
  author?: { id: string; name?: string; role?: string; avatar?: string };
  isBackchannel: boolean;
  createdAt: string;
  processedAt?: string;
  delay?: number;
  results?: { form: string; formName?: string; values?: Record<string, unknown> }[];
  meta?: Record<string, unknown>;
}

export const LIST_SHAPE = {
  select: 'name,status,category,contact,participants,updatedAt,lastMessageAt',
  populate: 'contact:profile,participants.user:name',
};

export function getTitle({ name, contact }: Pick<Conversation, 'name' | 'contact'>): string {
  const profile = typeof contact === 'object' ? contact.profile : undefined;
  const full = [profile?.['givenName'], profile?.['familyName']].filter(Boolean).join(' ');
  const names = [name, profile?.name, full, profile?.email, profile?.telephone];
  return stripDirection(names.find((one) => one !== undefined && hasVisibleText(one)) ?? '');
}

export function getUserId(user: Participant['user']): string {
  return typeof user === 'string' ? user : user.id;
}

export function getUserName(user: Participant['user']): string {
  return typeof user === 'string' ? user : stripDirection(user.name ?? user.id);
}

export function getUnreadCount({ participants }: Pick<Conversation, 'participants'>, user: string): number {
  return participants.find((one) => getUserId(one.user) === user)?.unreadCount ?? 0;
}
