import { Readable } from 'node:stream';
import { Router } from '@koa/router';
import type { Context } from 'koa';
import { inboundRow, unreadableRow } from '../../application/channels/inbound.ts';
import { markAddress } from '../../application/channels/mark-identity.ts';
import { reportReceipt } from '../../application/channels/report-receipt.ts';
import { listSecrets } from '../../application/channels/secrets.ts';
import { createEncryption } from '../../application/posting/encryption.ts';
import type { ProviderPost, ProviderPosts, ProviderReceipt } from '../../deliveries/channels/contract.ts';
import { findProvider } from '../../deliveries/channels/providers.ts';
import { parseMailAddress, signMailUrl } from '../../domain/channels/email/proof.ts';
import type { Sign } from '../../domain/channels/email/proof.ts';
import { DomainError, notFound, unavailable } from '../../domain/errors.ts';
import { ID } from '../../domain/id.ts';
import { FairScheduler } from '../../platform/concurrency/fair-scheduler.ts';
import { storeDate, storeNow } from '../../store/cluster/clock.ts';
import { findCarried } from '../../store/conversations/receipts.ts';
import { insertDeliveries } from '../../store/delivery/deliveries.ts';
import { findReceiver } from '../../store/delivery/service-health.ts';
import type { ServiceDocument } from '../../store/delivery/services.ts';
import { ttlCache } from '../../store/queries/ttl-cache.ts';
import type { RequestState } from '../middleware/observe.ts';
import { receiveBody } from '../pipeline/body.ts';
import type { Api } from '../request.ts';
import { MAX_MAIL_POST_BYTES, parseMailPost } from './mail-post.ts';
import { storeReceivedMail } from './store-received-mail.ts';

/** A post of 55 MiB is in memory until its mail is stored. */
const MAILS = { max: 6, maxEach: 2, maxWaiting: 100, maxWaitMs: 10_000, refusal: unavailable };

type Ctx = Context & { state: RequestState; params: Record<string, string> };

interface GenuinePost {
  service: ServiceDocument;
  provider: ProviderPosts;
  post: ProviderPost;
}

const MAX_POST_BYTES = 128 * 1024;
/** Spares the store when posts are forged. */
const CACHE_MS = 250;

/** Has no rate limit: Twilio does not repeat a post that gets 429 (spec 15.8). */
export function providerRouter(api: Api): Router<RequestState> {
  const { config } = api;
  const { decrypt, sign } = createEncryption(config.authSecret);
  const services = ttlCache({ maxAgeMs: CACHE_MS, max: 1_000, load: findReceiver });
  const router = new Router<RequestState>({ sensitive: true });

  const find = async ({ params: { service: id = '' } }: Ctx) => (ID.test(id) ? services.get(id) : null);

  async function open(ctx: Ctx): Promise<GenuinePost> {
    const service = await find(ctx);
    const provider = service && findProvider(service.type)?.posts;
    if (!service || !provider) throw notFound('The channel');
    const bytes = await receiveBody(ctx, MAX_POST_BYTES);
    const url = `${config.publicUrl}${ctx.originalUrl}`;
    const post = { url, bytes, header: (name: string) => ctx.get(name) };
    const secrets = listSecrets(service, { decrypt, now: storeDate() });
    // Encrypted under another AUTH_SECRET.
    if (secrets.length === 0) throw unavailable();
    if (!provider.isGenuine(post, secrets)) throw forgedError();
    return { service, provider, post };
  }

  const serve = (path: string, take: (genuine: GenuinePost, ctx: Ctx) => Promise<void>) =>
    router.post(`/channels/:service/${path}`, async (context) => {
      const ctx = context as unknown as Ctx;
      ctx.state.pattern = `/channels/:service/${path}`;
      const genuine = await open(ctx);
      await take(genuine, ctx);
      const { type, body } = genuine.provider.answer;
      ctx.status = 200;
      ctx.type = type;
      ctx.body = body;
    });
  const mails = new FairScheduler(MAILS);
  router.post('/channels/:service/:signature/mime', async (context) => {
    const ctx = context as unknown as Ctx;
    ctx.state.pattern = '/channels/:service/:signature/mime';
    const { service: id = '', signature = '' } = ctx.params;
    const service = signature === signMailUrl(id, sign) ? await find(ctx) : null;
    if (service?.type !== 'email' || service.status === 'disabled') throw notFound('The channel');
    await mails.run(['all', service._id], () => takeMailPost(ctx, { api, service, sign }));
  });
  serve('inbound', (genuine, ctx) => storePost(genuine, { api, receivedAt: ctx.state.receivedAt }));
  serve('receipts/:message', async ({ service, provider, post }, ctx) => {
    const { message = '' } = ctx.params;
    const receipt = provider.parseReceipt(post);
    if (receipt && ID.test(message)) await storeReceipt(receipt, { service, message, api });
  });
  return router;
}

async function takeMailPost(
  ctx: Ctx,
  { api, service, sign }: { api: Api; service: ServiceDocument; sign: Sign },
): Promise<void> {
  const bytes = await receiveBody(ctx, MAX_MAIL_POST_BYTES);
  const { recipients, sender, mail } = await parseMailPost(bytes, ctx.get('Content-Type'));
  const { mailDomain: domain = '' } = api.config;
  const own = recipients.find((address) => parseMailAddress(address, { domain, sign }));
  const to = own ?? recipients[0] ?? '';
  await storeReceivedMail(api, { service, to, sender, chunks: Readable.from([mail]) });
  ctx.status = 200;
  ctx.body = '';
}

function forgedError(): DomainError {
  return new DomainError('forbidden', 'The post is not signed by the provider of this channel.');
}

/** A paused channel keeps the post until it is active again. */
async function storePost(
  { service, provider, post: { bytes } }: GenuinePost,
  { api, receivedAt }: { api: Api; receivedAt: string },
): Promise<void> {
  const { _id: id, organization, createdBy: user = id } = service;
  const arrival = { sequence: storeNow() * 1_000, now: receivedAt, shards: api.config.deliveryShards };
  const channel = { id, organization };
  let row;
  try {
    const entry = provider.parseMessage(bytes);
    row = inboundRow({ entry, by: { user, organization, role: 'bot' } }, channel, arrival);
  } catch (error) {
    const { message: problem } = error as Error;
    row = unreadableRow({ problem, post: bytes.toString('utf8') }, channel, arrival);
  }
  await insertDeliveries([row]);
}

async function storeReceipt(
  { bar, ...receipt }: ProviderReceipt,
  { service, message, api }: { service: ServiceDocument; message: string; api: Api },
): Promise<void> {
  const { publicUrl, deliveryShards } = api.config;
  const carried = await findCarried(message, service._id);
  if (!carried) return;
  const { contact, delivery } = carried;
  // A repeated post finishes an interrupted one: the event's id has the time.
  const at = delivery.status === receipt.status ? delivery.at : storeDate().toISOString();
  await reportReceipt(
    { publicUrl, deliveryShards, posting: api.posting },
    { message, service: service._id, receipt: { ...receipt, at } },
  );
  if (bar && contact !== undefined) await markAddress(service, contact, bar);
}
