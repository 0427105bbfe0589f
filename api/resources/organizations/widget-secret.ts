import { randomBytes } from 'node:crypto';
import Type from 'typebox';
import { assertNoParameters } from '../../../domain/query/pairs.ts';
import { notFound } from '../../../domain/refusal.ts';
import { Time, about, object } from '../../../application/schema/kinds.ts';
import { findWidgetSecret, removeWidgetSecret, replaceWidgetSecret } from '../../../store/records/widgets.ts';
import type { WidgetSecret } from '../../../store/records/organizations.ts';
import type { HandlerResult, ApiRequest } from '../../request.ts';

/** The secret of a widget as it is shown; `secret` only in the answer that makes it. */
export const widgetSecretSchema = object('WidgetSecret', 'What websites sign their visitors with.', {
  secret: Type.Optional(
    about(Type.String(), 'The secret: shown in the answer that makes it, and never again.', 'pws_0c9a2f4b'),
  ),
  createdAt: about(Time, 'When it was made.'),
  formerUntil: Type.Optional(about(Time, 'Until when the one that it replaced is good.')),
});

const BYTES = 32;

/**
 * POST /organizations/{id}/widget/secret: a new secret for visitors' identities, shown in this
 * answer only; the one that it replaces is good for a day more (spec 13.4).
 */
export async function createWidgetSecret({ principal, id }: ApiRequest): Promise<HandlerResult> {
  const secret = `pws_${randomBytes(BYTES).toString('base64url')}`;
  const stored = await replaceWidgetSecret(principal.reach, id, secret);
  if (!stored) throw notFound('The organization');
  return { status: 201, body: { secret, ...present(stored) } };
}

/** GET /organizations/{id}/widget/secret: since when there is one; never the secret itself. */
export async function getWidgetSecret({ principal, id, querystring }: ApiRequest): Promise<HandlerResult> {
  assertNoParameters(querystring);
  const stored = await findWidgetSecret(principal.reach, id);
  if (!stored) throw notFound(stored === null ? 'The organization' : "The widget's secret");
  return { status: 200, body: present(stored) };
}

/** DELETE /organizations/{id}/widget/secret: no signature is valid any more, at once. */
export async function deleteWidgetSecret({ principal, id }: ApiRequest): Promise<HandlerResult> {
  if (!(await removeWidgetSecret(principal.reach, id))) throw notFound("The widget's secret");
  return { status: 204 };
}

function present({ createdAt, former }: WidgetSecret): object {
  return {
    createdAt: createdAt.toISOString(),
    ...(former ? { formerUntil: former.until.toISOString() } : {}),
  };
}
