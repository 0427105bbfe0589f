import Type from 'typebox';
import { MAX_SIGNATURE } from '../../domain/channels/email/account.ts';
import { Time, Url, about, object, oneOf, text } from '../../schema/kinds.ts';

export const Params = object(
  'WebhookParams',
  'The address of a webhook or channel, and the events of a webhook.',
  {
    url: Type.Optional(
      about(
        Url,
        'The address that receives events. Credentials in the address become an Authorization header. Without an address, events wait to be pulled. For type `email`: the SMTP server, such as smtps://smtp.example.com.',
        'https://example.com/hook',
      ),
    ),
    secret: Type.Optional(
      about(
        text({ max: 512 }),
        'The secret that signs requests: `whsec_` and base64 of at least 16 bytes, or another text of at least 16 bytes.',
        'whsec_c2VjcmV0LW9mLWF0LWxlYXN0LTI0LWJ5dGVz',
      ),
    ),
    events: Type.Optional(
      about(
        Type.Array(text({ max: 256 }), { maxItems: 100 }),
        'Patterns `resource.operation.conversationType.messageType.role`. `*` is any word. A shorter pattern is a prefix. Default: all events.',
        ['message.create.*.chat.contact'],
      ),
    ),
    touchpoint: Type.Optional(
      about(text({ max: 64 }), 'Only for type `api`: the touchpoint of the channel.', 'sms'),
    ),
    accountSid: Type.Optional(
      about(text({ max: 64 }), 'Only for type `twilio`: the account.', 'AC00000000000000000000000000000001'),
    ),
    authToken: Type.Optional(
      about(text({ max: 64 }), 'Only for type `twilio`: the auth token. Never returned.', 'c2b1f0'),
    ),
    number: Type.Optional(
      about(
        text({ max: 32 }),
        'Only for type `twilio`: the telephone number of the channel.',
        '+31201234567',
      ),
    ),
    messagingServiceSid: Type.Optional(
      about(
        text({ max: 64 }),
        'Only for type `twilio`: a messaging service instead of the number.',
        'MG00000000000000000000000000000001',
      ),
    ),
    imapUrl: Type.Optional(
      about(
        text({ max: 2_048 }),
        'Only for type `email`: the IMAP server whose INBOX is read.',
        'imaps://imap.example.com',
      ),
    ),
    address: Type.Optional(
      about(text({ max: 254 }), 'Only for type `email`: the address of the channel.', 'support@example.com'),
    ),
    fromName: Type.Optional(
      about(text({ max: 100 }), 'Only for type `email`: the display name of the address.', 'Example support'),
    ),
    signature: Type.Optional(
      about(
        text({ max: MAX_SIGNATURE }),
        'Only for type `email`: lines below each mail.',
        'Example Ltd\nwww.example.com',
      ),
    ),
    dkimSelector: Type.Optional(
      about(
        text({ max: 63 }),
        'Only for type `email`: the name of the DKIM key that signs mail, if the SMTP server does not sign.',
        'parlance',
      ),
    ),
    username: Type.Optional(
      about(
        text({ max: 512 }),
        'Only for type `email`: the user at the mail servers.',
        'support@example.com',
      ),
    ),
    password: Type.Optional(
      about(text({ max: 512 }), 'Only for type `email`: the password of the user. Never returned.', 'c2b1f0'),
    ),
    tokenUrl: Type.Optional(
      about(
        text({ max: 2_048 }),
        'Only for type `email`: the address that issues access tokens, for a login by OAuth 2.',
        'https://oauth2.googleapis.com/token',
      ),
    ),
    clientId: Type.Optional(
      about(text({ max: 512 }), 'Only for type `email`: the OAuth 2 client.', '123.apps.example.com'),
    ),
    clientSecret: Type.Optional(
      about(
        text({ max: 512 }),
        'Only for type `email`: the secret of the OAuth 2 client. Never returned.',
        'c2b1f0',
      ),
    ),
    refreshToken: Type.Optional(
      about(
        text({ max: 4_096 }),
        'Only for type `email`: the refresh token of the user. Never returned. Without it, the client itself sends.',
        '1//c2b1f0',
      ),
    ),
    scope: Type.Optional(
      about(
        text({ max: 512 }),
        'Only for type `email`: the scope of access tokens.',
        'https://outlook.office365.com/.default',
      ),
    ),
  },
);

export const DkimRecord = object(
  'DkimRecord',
  'The DNS record of type TXT with which receivers verify signatures.',
  {
    name: about(Type.String(), 'The name of the record.', 'parlance._domainkey.example.com'),
    value: about(Type.String(), 'The value of the record.', 'v=DKIM1; k=rsa; p=MIIBIjANBgkq…'),
  },
);

export const MailboxHealth = object('MailboxHealth', 'Whether the mailbox of a channel can be read.', {
  status: about(oneOf(['active', 'failed']), '`active`: new mail is read. `failed`: it waits.', 'active'),
  reason: Type.Optional(
    about(
      Type.String(),
      'The reason why the mailbox cannot be read, in words.',
      'The IMAP server did not accept the login.',
    ),
  ),
  since: about(Time, 'The time since which the mailbox has the status.'),
});
