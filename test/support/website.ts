import { createHmac } from 'node:crypto';
import type { ApiClient } from './client.ts';
import type { Product } from './product.ts';

/** An organization with a widget, below the product's organization. */
export interface WidgetOf {
  id: string;
  set: (widget: object) => Promise<{ status: number; body: any }>;
}

export async function newWidget(
  { admin }: Pick<Product, 'admin'>,
  widget: object,
  fields: object = {},
): Promise<WidgetOf> {
  const made = await admin.post('/organizations', { name: 'Shop', ...fields, meta: { widget } });
  if (made.status !== 201) throw new Error(`no organization: ${JSON.stringify(made.body)}`);
  const id = made.body.id as string;
  const set = (next: object) => admin.request('PATCH', `/organizations/${id}`, { meta: { widget: next } });
  return { id, set };
}

/** Requests a chat key as the widget's script on a website does. */
export async function start(
  origin: string,
  organization: string,
  { from, visitor = {} }: { from?: string; visitor?: object },
): Promise<{ status: number; headers: Headers; text: string; slug: string }> {
  const response = await fetch(`${origin}/c/${organization}/start`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(from === undefined ? {} : { Origin: from }) },
    body: JSON.stringify(visitor),
  });
  const text = await response.text();
  const { slug = '' } = JSON.parse(text) as { slug?: string };
  return { status: response.status, headers: response.headers, text, slug };
}

/** Posts a message as the chat page with this key does. */
export async function postAsVisitor(
  origin: string,
  slug: string,
  said: { key: string; text?: string; files?: string[] },
) {
  const response = await fetch(`${origin}/c/${slug}/messages`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(said),
  });
  return { status: response.status, body: (await response.json()) as any };
}

export function signText(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('hex');
}

export async function findRecords(admin: ApiClient, organization: string) {
  const [conversations, contacts] = await Promise.all([
    admin.get(`/conversations?organization=${organization}`),
    admin.get(`/contacts?organization=${organization}`),
  ]);
  return { conversations: conversations.body as any[], contacts: contacts.body as any[] };
}
