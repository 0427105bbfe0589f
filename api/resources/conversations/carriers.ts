import Type from 'typebox';
import { chooseCarrier, findRefusal } from '../../../domain/channels/carrier.ts';
import { channelFacts } from '../../../domain/channels/identity.ts';
import { SERVICE_STATUSES } from '../../../domain/events/subscriptions.ts';
import { notFound } from '../../../domain/errors.ts';
import { assertNoParameters } from '../../../domain/query/query-string.ts';
import { definedFields } from '../../../domain/record-fields.ts';
import { about, idOf, object, oneOf } from '../../../schema/kinds.ts';
import { findContactById } from '../../../store/conversations/contacts.ts';
import { findConversation } from '../../../store/conversations/find-conversations.ts';
import { findChannels } from '../../../store/delivery/channels.ts';
import { findServicesByIds } from '../../../store/delivery/services.ts';
import type { ApiRequest, HandlerResult } from '../../request.ts';

/** See spec 15.2. */
export const carrierSchema = object('Carrier', 'A channel that may carry a reply in the conversation.', {
  service: idOf('services', 'The channel.'),
  name: about(Type.String(), 'The name of the channel.', 'Support number'),
  type: about(Type.String(), 'The type of the channel.', 'api'),
  touchpoint: about(Type.String(), 'The touchpoint of the channel.', 'sms'),
  status: about(
    oneOf(SERVICE_STATUSES),
    'The status of the channel. Replies wait unless it is `active`.',
    'active',
  ),
  address: Type.Optional(about(Type.String(), 'The address of the contact on the channel.', '+31612345678')),
  isDefault: about(Type.Boolean(), 'Whether the channel carries replies that name no channel.', true),
  refusal: Type.Optional(
    object('CarrierRefusal', 'The reason why a reply by this channel would be refused.', {
      code: about(Type.String(), '`no_address`, `opted_out` or `unreachable`.', 'opted_out'),
      message: about(
        Type.String(),
        'The reason in words.',
        'The contact has opted out of the channel of this message.',
      ),
    }),
  ),
});

/** GET /conversations/{id}/carriers: without a default, only the chat page shows replies. */
export async function listCarriers({ principal, id, querystring }: ApiRequest): Promise<HandlerResult> {
  assertNoParameters(querystring);
  const { reach } = principal;
  const found = await findConversation(reach, id);
  if (!found) throw notFound('The conversation');
  const { organization, contact, touchpoints } = found;
  const channels = contact === undefined ? [] : await findChannels(organization);
  if (contact === undefined || channels.length === 0) return { status: 200, body: [] };
  const ids = channels.map((channel) => channel.id);
  const [person, services] = await Promise.all([findContactById(contact), findServicesByIds(reach, ids)]);
  const carriers = channels.map((channel) => channelFacts(channel, person));
  const reply = { type: 'chat', role: 'agent', isBackchannel: false, touchpoint: 'web' } as const;
  const usual = chooseCarrier(touchpoints, {
    ...reply,
    facts: { carriers: { named: false, services: carriers } },
  });
  const body = carriers.flatMap((carrier) => {
    const service = services.find(({ _id }) => _id === carrier.id);
    if (!service) return [];
    const { type, touchpoint, address } = carrier;
    return {
      ...{ service: carrier.id, name: service.name, type, touchpoint, status: service.status },
      isDefault: carrier.id === usual?.id,
      ...definedFields({ address, refusal: findRefusal(carrier) ?? undefined }),
    };
  });
  return { status: 200, body };
}
