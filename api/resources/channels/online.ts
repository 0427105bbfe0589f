import type { Static } from 'typebox';
import { object } from '../../../schema/kinds.ts';
import { notFound, unprocessable } from '../../../domain/errors.ts';
import { Online, channelRecords, setOnline } from '../../../store/records/channels.ts';
import { buildRecordResult } from '../../records/if-match.ts';
import { describeResource } from '../../records/resource.ts';
import type { HandlerResult, ApiRequest } from '../../request.ts';
import { channels } from './channels.ts';

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
