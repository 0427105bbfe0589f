import fc from 'fast-check';
import { ACTION_TYPES, CONTENT_TYPES, MESSAGE_ROLES, MESSAGE_TYPES } from '../../domain/messages/message.ts';

const oddText = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '/',
    '>',
    '.',
    '+',
    '-',
    'é💥',
    '\u2028',
    '‮',
    '<b>x</b>',
    '__proto__',
    '$set',
    'x'.repeat(32_001),
  ),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
);
const telling = fc.constantFrom(
  ...[
    '/set',
    '/set status',
    '/set status closed',
    '/set status asleep',
    '/set name  two  words ',
    '/set @meta x',
  ],
  ...[
    '/set meta.',
    '/set meta.__proto__ x',
    '/set meta.a.b x',
    '/set $x 1',
    '/set categoryIndex 0',
    '/set categoryIndex 1e3',
  ],
  ...[
    '/set categoryIndex 99',
    '/set category c',
    '/set category',
    `/set name ${'n'.repeat(600)}`,
    `/set k ${'v'.repeat(20_000)}`,
  ],
  ...[
    '/assign',
    '/assign now',
    '/join',
    '/join x',
    '/accept',
    '/leave',
    '/notify',
    '/unknown thing',
    '>bot do it',
    '/ set a',
  ],
  ...[
    '.name Ada',
    '.email nope',
    '.email a@b',
    '.telephone 12',
    '.telephone +31612345678',
    '.address.city X',
    '.address. x',
  ],
  ...[
    '.__proto__ x',
    '.a.b c',
    `.long ${'y'.repeat(17_000)}`,
    '.x',
    '+F',
    '-F',
    '+',
    '+None',
    '-None',
    'plain words',
  ],
  ...['{"text":"nested"}', '[{"type":"command","text":"/leave"}]', '{"type":"postback","text":"{}"}'],
);
const anyText = fc.oneof({ weight: 3, arbitrary: telling }, { weight: 1, arbitrary: oddText });
const oddValue = fc.oneof(
  fc.constantFrom<unknown>(null, '', 0, -1, 1e21, true, [], {}, 'x', [null], { a: [{}] }),
  fc.jsonValue(),
);
const ids = fc.oneof(fc.constant('ffffffffffffffffffffffff'), fc.string({ maxLength: 30 }));
const meta = fc.oneof(
  fc.record(
    {
      channels: fc.oneof(fc.array(ids, { maxLength: 3 }), oddValue),
      users: fc.oneof(fc.array(ids, { maxLength: 3 }), oddValue),
      form: fc.oneof(fc.constantFrom('F', 'G'), oddValue),
      category: oddValue,
      categoryIndex: oddValue,
      template: oddValue,
      targetUser: oddValue,
      targetBot: oddValue,
    },
    { requiredKeys: [] },
  ),
  fc.dictionary(
    fc.oneof(fc.string({ maxLength: 8 }), fc.constantFrom('a.b', '$x', 'constructor')),
    fc.jsonValue(),
    { maxKeys: 4 },
  ),
);
const action = fc.record(
  {
    type: fc.constantFrom(...ACTION_TYPES),
    text: oddText,
    uri: oddText,
    payload: anyText,
    fallback: oddText,
    size: fc.constantFrom('tall', 'huge'),
    meta,
  },
  { requiredKeys: ['type', 'text'] },
);
const item = fc.record(
  { title: oddText, actions: fc.array(action, { maxLength: 4 }), mediaUrl: oddText },
  { requiredKeys: ['title'] },
);
const result = fc.record(
  { form: ids, formName: oddText, type: fc.constantFrom('topic', 'static'), values: meta },
  { requiredKeys: ['form'] },
);
const sound = fc.record(
  {
    type: fc.constantFrom(...MESSAGE_TYPES),
    text: anyText,
    role: fc.constantFrom(...MESSAGE_ROLES),
    contentType: fc.constantFrom(...CONTENT_TYPES),
    isBackchannel: fc.boolean(),
    touchpoint: fc.constantFrom('web', 'email', 'sms', 'facebook', 'video'),
    delay: fc.constantFrom(0, 1, 50, 300, 1e6, 34_560_000_001, 0.5),
    service: oddText,
    user: ids,
    externalId: fc.constantFrom('e-1', 'e-2', 'e-3', ''),
    items: fc.array(item, { maxLength: 2 }),
    actions: fc.array(action, { maxLength: 2 }),
    results: fc.array(result, { maxLength: 2 }),
    meta,
  },
  { requiredKeys: ['text', 'type'] },
);
const plain = fc.record(
  {
    type: fc.constantFrom(...MESSAGE_TYPES),
    text: telling,
    role: fc.constantFrom(...MESSAGE_ROLES),
    delay: fc.constantFrom(1, 100),
  },
  { requiredKeys: ['text', 'type'] },
);
const broken = fc
  .tuple(sound, fc.constantFrom('text', 'type', 'meta', 'items', 'delay', 'results', 'user'), oddValue)
  .map(([message, field, value]) => ({ ...message, [field]: value }));
const anyMessage = fc.oneof(
  { weight: 4, arbitrary: plain },
  { weight: 3, arbitrary: sound },
  { weight: 1, arbitrary: broken },
);

/** Generates bodies of message posts: valid, nearly valid, or arbitrary. */
export const anyRequest: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: anyMessage },
  { weight: 2, arbitrary: fc.array(anyMessage, { maxLength: 4 }) },
  { weight: 1, arbitrary: fc.jsonValue() },
);
