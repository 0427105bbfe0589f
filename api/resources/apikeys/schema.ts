import Type from 'typebox';
import { SCOPES } from '../../../domain/scope.ts';
import { Id, Name, Time, oneOf } from '../../../schema/kinds.ts';

export const apiKeyInput = Type.Object({
  name: Name,
  scopes: Type.Array(oneOf(SCOPES), { minItems: 1, maxItems: SCOPES.length, uniqueItems: true }),
});

/** An API key as it is shown; `token` only in the answer that makes it. */
export const apiKeySchema = Type.Object({
  id: Id,
  user: Id,
  name: Type.String(),
  scopes: Type.Array(oneOf(SCOPES)),
  createdBy: Id,
  createdAt: Time,
  /** To the minute; absent until it is used. */
  lastUsedAt: Type.Optional(Time),
  token: Type.Optional(Type.String()),
});
