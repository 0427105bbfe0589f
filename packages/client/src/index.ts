export { createClient } from './client.ts';
export type { Client, ClientOptions } from './client.ts';
export { ParlanceError, toParlanceError } from './error.ts';
export { createBot, matchesPattern } from './bot.ts';
export type { Bot, BotOptions, Heard } from './bot.ts';
export { randomKey } from './send.ts';
export { signWebhook, verifyWebhook } from './webhook.ts';
export type { WebhookEvent } from './webhook.ts';
export type { ChangeEvent, StreamEvent, StreamOptions } from './stream.ts';
export type {
  AnswerTo,
  ApiKey,
  BusinessEvent,
  Call,
  CallArguments,
  Contact,
  Conversation,
  Delivery,
  EventType,
  Message,
  MessageInput,
  Options,
  Query,
  Service,
  TimelineMessage,
  User,
} from './types.ts';
