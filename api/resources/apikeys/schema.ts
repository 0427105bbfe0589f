import Type from 'typebox';
import { SCOPES } from '../../../domain/scope.ts';
import { Name, Time, about, idOf, madeAndChanged, object, oneOf } from '../../../application/schema/kinds.ts';

const NAME = 'What it is for.';

export const apiKeyInput = object('ApiKeyInput', 'An API key to create.', {
  name: about(Name, NAME, 'Booking bot'),
  scopes: about(
    Type.Array(oneOf(SCOPES), { minItems: 1, maxItems: SCOPES.length, uniqueItems: true }),
    'What it may do: never more than what the role of its user gives.',
    ['bot'],
  ),
});

/** An API key as it is shown; `token` only in the answer that makes it. */
export const apiKeySchema = object('ApiKey', 'An API key. It does not expire, and can be revoked.', {
  id: idOf('apikeys', 'Its id.'),
  user: idOf('bots', 'The user whose key it is.'),
  name: about(Type.String(), NAME, 'Booking bot'),
  scopes: about(Type.Array(oneOf(SCOPES)), 'What it may do.', ['bot']),
  createdBy: idOf('users', 'The user who created it.'),
  createdAt: madeAndChanged.createdAt,
  lastUsedAt: Type.Optional(about(Time, 'When it was used last, to the minute; absent until it is used.')),
  token: Type.Optional(
    about(Type.String(), 'The key: shown in the answer that creates it, and never again.', 'plk_0c9a2f4b'),
  ),
});
