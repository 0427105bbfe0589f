import type { ChannelFacts } from '../../domain/channels/channel-type.ts';
import { ttlCache } from '../queries/ttl-cache.ts';
import { conversationModel } from '../conversations/conversations.ts';
import { NOT_DELETED } from '../queries/find.ts';
import { SUBSCRIBER_CACHE_MS, serviceModel } from './services.ts';
import type { ServiceDocument } from './services.ts';

type Channel = Pick<ChannelFacts, 'id' | 'type' | 'touchpoint'>;

/** An organization has at most so many services (spec 7.1). */
const MAX_CHANNELS = 50;
const ANY = 'any';

// Most deployments have no channel: one read per interval instead of one per organization.
const anyCache = ttlCache({
  maxAgeMs: SUBSCRIBER_CACHE_MS,
  max: 1,
  load: async () => (await serviceModel.exists({ touchpoint: { $exists: true } })) !== null,
});
const channelCache = ttlCache({ maxAgeMs: SUBSCRIBER_CACHE_MS, max: 10_000, load: loadChannels });

/** Returns the channel services of an organization that are not disabled, oldest first. */
export async function findChannels(organization: string): Promise<Channel[]> {
  return (await findAllChannels(organization)).enabled;
}

/** Also finds a disabled channel, because it may receive. */
export async function findChannel(organization: string, service: string): Promise<Channel | undefined> {
  return (await findAllChannels(organization)).all.find(({ id }) => id === service);
}

interface Channels {
  all: Channel[];
  enabled: Channel[];
}

async function findAllChannels(organization: string): Promise<Channels> {
  return (await anyCache.get(ANY)) ? channelCache.get(organization) : { all: [], enabled: [] };
}

async function loadChannels(organization: string): Promise<Channels> {
  const found = await serviceModel.collection
    .find(
      { organization, touchpoint: { $exists: true } },
      { projection: { type: 1, touchpoint: 1, status: 1 }, sort: { _id: 1 }, limit: MAX_CHANNELS },
    )
    .toArray();
  const all = found.map(({ _id: id, type, touchpoint = '' }) => ({ id, type, touchpoint }));
  return { all, enabled: all.filter((_, at) => found[at]?.status !== 'disabled') };
}

const EMAIL = { type: 'email' };

/** Returns the channel that receives a mail: of its id, or the last channel of a conversation. */
export async function findMailService(
  target: { service: string } | { conversation: string },
): Promise<ServiceDocument | null> {
  if ('service' in target) return serviceModel.collection.findOne({ _id: target.service, ...EMAIL });
  const conversation = await conversationModel.collection.findOne(
    { _id: target.conversation, ...NOT_DELETED },
    { projection: { organization: 1, touchpoints: 1 } },
  );
  const used = conversation?.touchpoints['email']?.services ?? [];
  const { organization = '' } = conversation ?? {};
  const found = await serviceModel.collection.find({ organization, _id: { $in: used }, ...EMAIL }).toArray();
  return found.sort((a, b) => used.indexOf(b._id) - used.indexOf(a._id))[0] ?? null;
}

/** Returns the oldest channel that sends mail for an organization. */
export async function findActiveMailService(organization: string): Promise<ServiceDocument | null> {
  return serviceModel.collection.findOne({ organization, ...EMAIL, status: 'active' }, { sort: { _id: 1 } });
}

/** Does nothing if the secret has changed since the service was read. */
export async function replaceSealed(
  { _id, sealed = {} }: Pick<ServiceDocument, '_id' | 'sealed'>,
  name: string,
  encrypted: string,
): Promise<void> {
  await serviceModel.collection.updateOne(
    { _id, [`sealed.${name}`]: sealed[name] },
    { $set: { [`sealed.${name}`]: encrypted } },
  );
}
