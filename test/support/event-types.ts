import type { Product } from './product.ts';

export async function newEventType(
  product: Pick<Product, 'admin'>,
  name: string,
  expression: string,
  organization?: string,
): Promise<string> {
  const created = await product.admin.post('/eventtypes', {
    name,
    ...(organization ? { organization } : {}),
  });
  if (created.status !== 201) throw new Error(JSON.stringify(created.body));
  await setExpression(product, created.body.id, expression);
  return created.body.id;
}

/** Sets the expression of an event type. Fails if the API refuses the expression. */
export async function setExpression(
  { admin }: Pick<Product, 'admin'>,
  id: string,
  expression: string,
): Promise<void> {
  const answer = await admin.request('PUT', `/eventtypes/${id}/jsonata`, expression, {
    'Content-Type': 'text/plain',
  });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
}
