export { createClient } from './client.ts';
export type { Client, ClientOptions } from './client.ts';
export { ParlanceError } from './error.ts';
export { createBot } from './bot.ts';
export type { Bot, BotOptions, Heard } from './bot.ts';
export { matchesPattern } from './event-pattern.ts';
export { signWebhook, verifyWebhook } from './webhook.ts';
export type { WebhookEvent } from './webhook.ts';
export type { StreamEvent } from './stream.ts';
export type {
  Call,
  Contact,
  Conversation,
  Delivery,
  Message,
  MessageInput,
  Options,
  Query,
  Service,
  User,
} from './types.ts';
