import { readFileSync, readdirSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { INBOX_WORDS } from '../../web/console/inbox/texts.ts';
import { findLocale, formatNumber, joinWords, setTranslations } from '../../web/console/language.ts';
import type { Catalog, TranslatedCode } from '../../web/console/languages/catalog.ts';
import { texts as de } from '../../web/console/languages/de/index.ts';
import { shell as deShell } from '../../web/console/languages/de/shell.ts';
import { texts as es } from '../../web/console/languages/es/index.ts';
import { shell as esShell } from '../../web/console/languages/es/shell.ts';
import { texts as fr } from '../../web/console/languages/fr/index.ts';
import { shell as frShell } from '../../web/console/languages/fr/shell.ts';
import { texts as nl } from '../../web/console/languages/nl/index.ts';
import { shell as nlShell } from '../../web/console/languages/nl/shell.ts';
import { describeFailure } from '../../web/console/inbox/conversation.ts';
import { translateError, translateRefusal } from '../../web/console/parts/refusals.ts';
import { TEXTS } from '../../web/console/texts.ts';
import { describeTimer } from '../../web/console/timers/sentence.ts';
import { ENGLISH_CATALOG } from './english.ts';
import { DEAD_ADDRESSES } from '../../domain/channels/email/smtp-outcome.ts';
import { TWILIO_BARS, TWILIO_REASONS } from '../../domain/channels/twilio.ts';
import { ERROR_CODES } from '../../domain/errors.ts';
import type { ErrorCode } from '../../domain/errors.ts';
import { readChosenLanguage } from '../../domain/languages.ts';

const LANGUAGES: [string, Catalog][] = [
  ['nl', { shell: nlShell, ...nl }],
  ['de', { shell: deShell, ...de }],
  ['fr', { shell: frShell, ...fr }],
  ['es', { shell: esShell, ...es }],
];

type Text = string | ((...values: unknown[]) => string);

/** Returns the texts by their path, such as `shell.errors.entry`. */
function flatten(group: object, path = ''): Map<string, Text> {
  const found = Object.entries(group).flatMap(([name, value]: [string, unknown]): [string, Text][] =>
    typeof value === 'object' && value !== null
      ? [...flatten(value, `${path}${name}.`)]
      : [[`${path}${name}`, value as Text]],
  );
  return new Map(found);
}

const ENGLISH = flatten(ENGLISH_CATALOG);

const list = (words: string) => new Set(words.split(' | '));
/** Texts that are the same in English and most other languages, and then in one of them. */
const SAME = list(
  'Account SID | Bot | GitHub, Meta | Google (OAuth 2) | Logo | Microsoft 365 (OAuth 2) | Parlance | SMS | Scope | Shopify | Slack | Standard Webhooks, Svix | Stripe | Tags | URL | Webhook | Webhooks | ada@example.com | bot',
);
const SAME_IN: Readonly<Record<string, ReadonlySet<string>>> = {
  nl: list(
    'Account | Auth token | Contact | Details | Emoji | Filter | Inbox | Label | Labels | Links | Login | Offline | Online | Status | Team | Teams | Timers | Transcript | Type | Website | Workflow in Temporal | contact | in | offline | online | status | type',
  ),
  de: list(
    'Agent | Details | Emoji | Filter | Label | Labels | Links | Login | Median | Name | Offline | Online | Status | System | Team | Teams | Text | Website | Workflow in Temporal | in | offline | online',
  ),
  fr: list(
    'Actions | Active | Agent | Agents | Contact | Contacts | Conversation | Conversations | Expression (JSONata) | Message | Messages | Note | Notes | Participants | Secret | Signature | Suggestions | Type | agent | contact | conversations | minutes | total | type',
  ),
  es: list('total'),
};

/** Returns the texts that the console does not share with the chat page, without the refusals. */
function flattenOwn({
  page: _page,
  refusals: _r,
  codes: _c,
  reasons: _w,
  ...own
}: Catalog): Map<string, Text> {
  return flatten(own);
}

afterEach(() => setTranslations(undefined, {}));

describe.each(LANGUAGES)('the console in the language %s', (language, catalog) => {
  const texts = flattenOwn(catalog);

  test('every text of the console has words in each language', () => {
    expect(ENGLISH.size).toBeGreaterThan(700);
    expect([...texts.keys()].sort()).toEqual([...ENGLISH.keys()].sort());
    const empty = [...texts].filter(([path, text]) => text === '' && ENGLISH.get(path) !== '');
    expect(empty).toEqual([]);
  });

  test('a text of the console contains its values in each language', () => {
    setTranslations(language, {});
    const samples: unknown[][] = [
      [7001, 7002, 7003],
      [1, 1, 1],
      ['Ada', 'Bob', 'Cyd'],
      ['Ada', undefined],
    ];
    const isIn = (value: unknown, text: string) =>
      text
        .toLowerCase()
        .includes(String(typeof value === 'number' ? formatNumber(value) : value).toLowerCase()) ||
      text.includes(String(value));
    const tried = [...ENGLISH].flatMap(([path, english]) => {
      if (typeof english === 'string') return [];
      const other = texts.get(path) as typeof english;
      return samples.flatMap((values) => {
        const [one, two] = [tryText(english, values), tryText(other, values)];
        if (one === undefined || two === undefined) return [];
        const missing = values.filter(
          (value) => value !== undefined && isIn(value, one) && !isIn(value, two),
        );
        return [{ path, two, missing: values.includes(1) ? [] : missing }];
      });
    });
    expect(tried.length).toBeGreaterThan(150);
    expect(tried.filter(({ missing, two }) => missing.length > 0 || two.trim() === '')).toEqual([]);
  });

  test('only names and international words of the console are as in English', () => {
    const same = [...texts].filter(([path, text]) => {
      const english = ENGLISH.get(path);
      return typeof text === 'string' && /[a-z]{2}/i.test(text) && text === english;
    });
    expect(
      same.filter(([, text]) => !SAME.has(String(text)) && !SAME_IN[language]?.has(String(text))),
    ).toEqual([]);
  });

  test('a refusal that the console translates keeps its values', () => {
    const wrong = Object.entries(catalog.refusals).filter(
      ([english, text]) => text === '' || text === english || count(text) > count(english),
    );
    expect(wrong).toEqual([]);
  });
});

const words = (any: string) => new RegExp(`(?<!\\p{L})(?:${any})(?!\\p{L})`, 'iu');
/** Words of the wrong form of address (CONTRIBUTING.md), for agents and for contacts. */
const WRONG_ADDRESS: Readonly<Record<string, [agent: RegExp, contact: RegExp]>> = {
  nl: [words('u|uw'), words('je|jij|jou|jouw')],
  de: [words('du|dich|dir|dein\\p{L}*'), words('du|dich|dir|dein\\p{L}*')],
  fr: [words('tu|toi|ton|tes'), words('tu|toi|ton|tes')],
  es: [words('tú|tu|tus|ti'), words('tú|tu|tus|ti')],
};

test.each(LANGUAGES)(
  'the texts in %s address agents, and contacts, as the rules for translators say',
  (language, { page, ...own }) => {
    const written = (texts: object) =>
      [...flatten(texts).values()].map((text) => (typeof text === 'string' ? text : text.toString()));
    const [agent, contact] = WRONG_ADDRESS[language]!;
    expect(written(own).filter((text) => agent.test(text))).toEqual([]);
    expect(written(page).filter((text) => contact.test(text))).toEqual([]);
  },
);

/** Returns undefined if the text does not take values of these types. */
function tryText(text: Exclude<Text, string>, values: readonly unknown[]): string | undefined {
  try {
    return text(...values);
  } catch {
    return undefined;
  }
}

function count(text: string): number {
  return text.split('{}').length - 1;
}

test('each refusal that the console translates is a refusal of the API', () => {
  const sources = ['api', 'application', 'domain', 'schema', 'store'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(`${folder}/${name}`, 'utf8')),
  );
  const all = sources.join('\n');
  const unknown = Object.keys(de.refusals).filter((text) =>
    text.split('{}').some((part) => part.trim().length > 3 && !all.includes(part.trim())),
  );
  expect(unknown).toEqual([]);
});

test.each([
  ['must have at most 200 characters', 'darf höchstens 200 Zeichen haben'],
  [
    'must be one of agent, bot (did you mean "bot"?)',
    'muss einer dieser Werte sein: agent, bot (did you mean "bot"?)',
  ],
  ['a refusal that nobody has translated', 'a refusal that nobody has translated'],
])('the German console shows the refusal %j as %j', (english, german) => {
  expect(translateRefusal(english)).toBe(english);
  setTranslations('de', { ...de });
  expect(translateRefusal(english)).toBe(german);
});

/** Error codes without words in the languages of the console, and why. */
const WITHOUT_WORDS: Readonly<Record<Exclude<ErrorCode, TranslatedCode | ChannelCode>, string>> = {
  invalid_request: 'says too little: its details are translated by their rules',
  unprocessable: 'says too little: its rule is translated',
  conflict: 'says too little: its sentence names the value that is taken',
  unauthenticated: 'the console shows that the session has ended, and a form its own sentence',
  invalid_json: 'a fault of the console, not of its user',
  method_not_allowed: 'a fault of the console, not of its user',
  unsupported_media_type: 'a fault of the console, not of its user',
  bot_loop_identical: 'only bots meet it',
  bot_loop_consecutive: 'only bots meet it',
};
/** Their words are those of messages that were not delivered. */
type ChannelCode = 'no_address' | 'opted_out' | 'unreachable';

test('each error code of the API has words in every language of the console, or a reason why not', () => {
  for (const [
    ,
    {
      codes,
      inbox: { failures },
    },
  ] of LANGUAGES) {
    const silent = ERROR_CODES.filter((code) => !(code in codes) && !(code in failures));
    expect(silent.sort()).toEqual(Object.keys(WITHOUT_WORDS).sort());
  }
});

test('each reason for which the product knows a code has words in every language of the console', () => {
  const known = [TWILIO_REASONS, TWILIO_BARS].flatMap(Object.keys);
  for (const [
    ,
    {
      reasons,
      inbox: { failures },
    },
  ] of LANGUAGES) {
    const silent = [...known, ...DEAD_ADDRESSES].filter((code) => !(code in reasons));
    expect(silent).toEqual([]);
    expect(Object.keys(reasons).filter((code) => code in failures)).toEqual([]);
    expect(Object.keys(failures)).toEqual(Object.keys(INBOX_WORDS.failures));
  }
});

test.each([
  ['a sentence that nobody has translated', 'forbidden', 'Dazu sind Sie nicht berechtigt.'],
  [
    'This needs scope admin; you have agent.',
    'forbidden',
    'Dafür ist die Rolle admin nötig; Sie haben agent.',
  ],
  ['The organization does not exist.', 'not_found', 'Diesen Eintrag gibt es nicht (mehr).'],
  ['The contact has opted out of sms.', 'opted_out', 'Der Kontakt hat sich von diesem Kanal abgemeldet.'],
  ['a rule that nobody has translated', 'unprocessable', 'a rule that nobody has translated'],
])('the German console shows the refusal %j with the code %s as %j', (message, code, german) => {
  expect(translateError({ message, code })).toBe(message);
  setTranslations('de', { ...de });
  expect(translateError({ message, code })).toBe(german);
});

test('a message that a provider did not deliver has its reason in the language of the console, by the code', () => {
  const error = { code: '30003', message: 'The telephone cannot be reached: it may be switched off.' };
  expect(describeFailure({ error })).toBe(`${error.message} (30003)`);
  setTranslations('nl', { ...nl });
  expect(describeFailure({ error })).toBe('De telefoon is niet bereikbaar: hij staat misschien uit. (30003)');
  const own = { code: 'E42', message: 'Line is busy' };
  expect(describeFailure({ error: own })).toBe('Line is busy (E42)');
});

test('the console returns to English, and lists and numbers follow the language', () => {
  setTranslations('de-DE', { shell: deShell, ...de });
  expect([TEXTS.save, INBOX_WORDS.take]).toEqual(['Speichern', 'Übernehmen']);
  expect([formatNumber(1234.5), joinWords(['Ada', 'Bob'])]).toEqual(['1.234,5', 'Ada und Bob']);
  setTranslations('en-US', {});
  expect([TEXTS.save, INBOX_WORDS.take, TEXTS.errors.entry(2)]).toEqual(['Save', 'Take', 'entry 2']);
  expect([formatNumber(1234.5), joinWords(['Ada', 'Bob'])]).toEqual(['1,234.5', 'Ada and Bob']);
});

test.each(LANGUAGES)('a timer is a sentence without English in the language %s', (language, catalog) => {
  setTranslations(language, { ...catalog });
  const timer = {
    name: 'n',
    when: 'queued',
    after: 'PT2H',
    event: 'a.b',
    user: 'u',
    only: { type: ['contact', 'agent'] },
  } as const;
  const words = describeTimer({ ...timer, only: { type: [...timer.only.type] } }, 'Otto')
    .map(({ text }) => text)
    .join('');
  expect(words).toMatch(/\b2\s\p{L}/u);
  expect(words).toMatch(/a\.b.*Otto.*\.$/);
  expect(words).not.toMatch(/\b(when|post|hours|only|agent or)\b/i);
});

test.each<[language: string, wanted: string[], locale: string]>([
  ['de', ['de-AT', 'en-US'], 'de-AT'],
  ['de', ['de', 'en-US'], 'de-US'],
  ['en', ['', 'nl-NL', 'en'], 'en-NL'],
  ['fr', ['not a tag', 'es'], 'fr'],
])(
  'the console in %s has the dates of the browser languages %j in the form of %s',
  (language, wanted, locale) => {
    expect(findLocale(language, wanted)).toBe(locale);
  },
);

test.each<[settings: unknown, language: string | undefined]>([
  [{ console: { language: 'de' } }, 'de'],
  [{ console: { language: 'it' } }, undefined],
  [{ console: { language: 'constructor' } }, undefined],
  [{ console: { language: 7 } }, undefined],
  [{ console: 'de' }, undefined],
  [null, undefined],
])('the settings %j choose the language %j', (settings, language) => {
  expect(readChosenLanguage(settings)).toBe(language);
});
