import { TWILIO_URL } from '../../domain/channels/twilio.ts';
import type { ChannelProvider } from './contract.ts';
import { connectEmail } from './email/connect.ts';
import { sendByEmail } from './email/send.ts';
import { connectTwilio, disconnectTwilio } from './twilio/connect.ts';
import { isSignedByTwilio, parseTwilioMessage, parseTwilioReceipt } from './twilio/receive.ts';
import { basicAuthorization } from './twilio/request.ts';
import { sendByTwilio } from './twilio/send.ts';

/** SMS and MMS by Twilio (spec 15.7 to 15.9). */
const twilio: ChannelProvider = {
  connect: connectTwilio,
  send: sendByTwilio,
  posts: {
    disconnect: disconnectTwilio,
    isGenuine: isSignedByTwilio,
    parseMessage: parseTwilioMessage,
    parseReceipt: parseTwilioReceipt,
    authorizeFile(account, { origin, protocol, hostname }) {
      const isOwn = origin === new URL(account.params.url ?? TWILIO_URL).origin;
      const isTwilios = protocol === 'https:' && hostname.endsWith('.twilio.com');
      return isOwn || isTwilios ? basicAuthorization(account) : undefined;
    },
    answer: { type: 'text/xml; charset=utf-8', body: '<?xml version="1.0" encoding="UTF-8"?><Response/>' },
  },
  hasNumberedButtons: true,
};

/** Mail by an SMTP server (spec 15.10). */
const email: ChannelProvider = { connect: connectEmail, send: sendByEmail, hasNumberedButtons: true };

const PROVIDERS: Readonly<Record<string, ChannelProvider>> = { twilio, email };

export function findProvider(type: string): ChannelProvider | undefined {
  return Object.hasOwn(PROVIDERS, type) ? PROVIDERS[type] : undefined;
}
