import Type from 'typebox';
import type { Static } from 'typebox';
import { onlineUnlessAway } from '../../../domain/effects/channel-presence.ts';
import { notFound, unprocessable } from '../../../domain/errors.ts';
import { about, named, object } from '../../../schema/kinds.ts';
import { findOffline } from '../../../store/accounts/users.ts';
import { Online, channelRecord, channelRecords, setOnline } from '../../../store/records/channels.ts';
import { buildPageResult, parseListing } from '../../listing/listing.ts';
import { buildPaths } from '../../listing/paths.ts';
import { buildRecordResult } from '../../records/if-match.ts';
import { describeResource } from '../../records/resource.ts';
import type { HandlerResult, Api, ApiRequest } from '../../request.ts';
import { channels } from './channels.ts';

export const teamSchema = named(
  'Team',
  Type.Object(
    {
      ...Type.Pick(channelRecord.answer, ['id', 'name', 'organization']).properties,
      online: about(Type.Integer({ minimum: 0 }), 'The number of members who are online.', 2),
      isMember: about(Type.Boolean(), 'Whether the caller is a member.', true),
    },
    { description: 'A channel as agents see it.' },
  ),
);

const paths = buildPaths(teamSchema, ['online', 'isMember']);

/** GET /channels/teams (spec 4.11) */
export async function listTeams(request: ApiRequest, api: Api): Promise<HandlerResult> {
  const { user, reach } = request.principal;
  const { query, shape } = parseListing(request, { name: 'channels', paths });
  return buildPageResult(request, api, {
    query,
    shape,
    path: '/channels/teams',
    async find(asked) {
      const page = await channelRecords.list(reach, asked);
      const away = await findOffline([...new Set(page.records.flatMap(onlineUnlessAway))]);
      const bodies = page.records.map((channel) => ({
        id: channel._id,
        name: channel.name,
        organization: channel.organization,
        online: onlineUnlessAway(channel).filter((one) => !away.has(one)).length,
        isMember: channel.members.some((one) => one.user === user),
      }));
      return { page, bodies };
    },
  });
}

export const onlineInput = object('ChannelOnline', 'Whether the caller is online in the channel.', {
  online: Online,
});

/** PUT /channels/{id}/online: also for channels of parent organizations (spec 4.3). */
export async function putOnline({
  principal,
  id,
  body,
}: ApiRequest<Static<typeof onlineInput>>): Promise<HandlerResult> {
  const { user, reach } = principal;
  const channel = await setOnline(id, { user, online: body.online });
  if (channel) return buildRecordResult(channels, channel);
  if (!(await channelRecords.find(reach, id))) throw notFound(describeResource(channels));
  throw unprocessable('You are not a member of this channel.');
}
