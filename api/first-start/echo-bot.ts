import { createHmac, timingSafeEqual } from 'node:crypto';
import Type from 'typebox';
import type { Static } from 'typebox';
import { signApiKey } from '../../application/auth/authority.ts';
import { DomainError, notFound } from '../../domain/errors.ts';
import { cascade } from '../../domain/scope.ts';
import { listApiKeys } from '../../store/accounts/apikeys.ts';
import type { HandlerResult, Api, OpenRequest } from '../request.ts';
import { findEchoBot, offersEchoBot } from './offered.ts';

export const ECHO_EVENTS = ['message.create.*.chat.contact'];

/** See spec 7.6. */
export const echoInput = Type.Object({
  data: Type.Object({ message: Type.Optional(Type.Object({ text: Type.Optional(Type.String()) })) }),
});

export function echoAddress({ config }: Pick<Api, 'config'>): string {
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  return `http://${host}:${config.port}/console/echo-bot/${deriveEchoSecret(config)}`;
}

/** Confirms the webhook's verification (spec 7.2). */
export function respondToVerification(request: OpenRequest, { config }: Api): Promise<HandlerResult> {
  assertEchoSecret(request, config);
  return Promise.resolve({ status: 200, body: {} });
}

/** Repeats the contact's message (spec 7.9). */
export async function echo(request: OpenRequest<Static<typeof echoInput>>, api: Api): Promise<HandlerResult> {
  assertEchoSecret(request, api.config);
  const text = request.body.data.message?.text ?? '';
  const token = await findBotToken(api);
  if (text === '' || token === null) return { status: 200, body: {} };
  const message = { text: `You said: ${text}`.slice(0, MAX_ECHO), isBackchannel: false };
  return { status: 200, body: { token, messages: [message] } };
}

const MAX_ECHO = 32_000;

/**
 * Signs the bot's API key again: signed keys are not stored. Returns null if the bot is missing,
 * was changed, or has no key.
 */
async function findBotToken({ authority }: Api): Promise<string | null> {
  const bot = await findEchoBot().catch(undefinedIfChanged);
  const [key] = bot ? await listApiKeys(bot._id) : [];
  if (!bot || !key) return null;
  return signApiKey(authority.jwt, {
    _id: bot._id,
    organization: bot.organization,
    scope: cascade('bot').join(' '),
    jti: key._id,
    iat: Math.floor(key.createdAt.getTime() / 1000),
  });
}

function undefinedIfChanged(error: unknown): undefined {
  if (!(error instanceof DomainError)) throw error;
}

function assertEchoSecret({ params }: OpenRequest, config: Api['config']): void {
  const [given, expected] = [params['secret'] ?? '', deriveEchoSecret(config)].map((text) =>
    Buffer.from(text),
  );
  const isKnown = given?.length === expected?.length && timingSafeEqual(given as Buffer, expected as Buffer);
  if (!isKnown || !offersEchoBot(config)) throw notFound('The bot');
}

function deriveEchoSecret({ authSecret }: Pick<Api['config'], 'authSecret'>): string {
  return createHmac('sha256', `echo bot ${authSecret}`).update('webhook').digest('base64url');
}
