import { withTimeout } from '../../platform/concurrency/with-timeout.ts';
import type { NewConversation } from '../../domain/conversations/conversation.ts';
import { conversationTitle, erasureTitle } from '../../domain/operators/details.ts';
import { buildPlaceholderEmail, contactName, userName } from '../../domain/scope.ts';
import { userModel } from '../accounts/users.ts';
import type { UserDocument } from '../accounts/users.ts';
import { organizationContext } from '../records/organizations.ts';
import { contactModel } from './contacts.ts';
import type { ContactProfile } from './contacts.ts';
import { conversationModel } from './conversations.ts';

/** Limit of one read: a request must not wait long for names, which only operators see. */
const NAMES_TIMEOUT_MS = 500;

interface Owners {
  organization: string;
  contact?: string | undefined;
}

/** Leaves out names that the store does not return in time. Never rejects. */
export async function findNames(
  ids: readonly string[],
  { organization, contact }: Owners,
): Promise<Record<string, string>> {
  const users = ids.filter((id) => id !== organization && id !== contact);
  const [organizationName, contactName, userNames] = await Promise.all([
    ids.includes(organization) ? loadOrganizationTitle(organization) : '',
    contact !== undefined && ids.includes(contact) ? withinNamesTimeout(loadContactName(contact), '') : '',
    users.length > 0 ? withinNamesTimeout(loadUserNames(users), []) : [],
  ]);
  const found = [[organization, organizationName], [contact ?? '', contactName], ...userNames];
  return Object.fromEntries(found.filter(([, name]) => name !== '')) as Record<string, string>;
}

/** Never rejects. */
export async function organizationPath(organization: string): Promise<string[]> {
  const context = await withinNamesTimeout(organizationContext(organization), null);
  return context?.path ?? [organization];
}

/** Summaries of workflows for operators (spec 11.2). They never reject. */
export const workflowSummaries = { conversation: conversationSummary, erasure: erasureSummary };

/** `seed` has the fields of a conversation to create. */
async function conversationSummary(id: string, seed?: NewConversation): Promise<string | undefined> {
  const facts = seed ?? (await withinNamesTimeout(loadTitleParts(id), null));
  if (!facts) return undefined;
  const { organization, contact, name, category } = facts;
  const names = await findNames([organization, contact ?? organization], facts);
  const title = conversationTitle({
    organization: names[organization],
    contact: names[contact ?? ''],
    name,
    category,
  });
  return title || undefined;
}

/** Returns a summary without personal names. */
async function erasureSummary(id: string): Promise<string> {
  const facts = await withinNamesTimeout(loadTitleParts(id), null);
  return erasureTitle(facts ? await loadOrganizationTitle(facts.organization) : undefined);
}

function loadTitleParts(id: string) {
  return conversationModel.findById(id, { organization: 1, contact: 1, name: 1, category: 1 }).lean();
}

async function loadOrganizationTitle(id: string): Promise<string> {
  return (await withinNamesTimeout(organizationContext(id), null))?.title ?? '';
}

async function loadContactName(id: string): Promise<string> {
  const found = await contactModel.findById(id, { profile: 1 }).lean<{ profile?: ContactProfile }>();
  return contactName(found?.profile ?? {});
}

async function loadUserNames(ids: string[]): Promise<[string, string][]> {
  const found = await userModel
    .find({ _id: { $in: ids } }, { givenName: 1, familyName: 1, email: 1, role: 1 })
    .lean<Pick<UserDocument, '_id' | 'givenName' | 'familyName' | 'email' | 'role'>[]>();
  return found.map((user) => [user._id, nameUnlessDerived(user)]);
}

function nameUnlessDerived(
  user: Pick<UserDocument, '_id' | 'givenName' | 'familyName' | 'email' | 'role'>,
): string {
  const name = userName(user);
  return name === buildPlaceholderEmail(user) ? '' : name;
}

function withinNamesTimeout<T, F>(work: PromiseLike<T>, otherwise: F): Promise<T | F> {
  const settled = Promise.resolve(work).catch(() => otherwise);
  return withTimeout<T | F, F>(settled, NAMES_TIMEOUT_MS, () => otherwise);
}
