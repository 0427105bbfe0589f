import { readFileSync, readdirSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { channels } from '../../web/console/channels/texts.ts';
import { words as contacts } from '../../web/console/contacts/texts.ts';
import { narrowing, selection } from '../../web/console/inbox/narrowing-texts.ts';
import { history, inbox, labels } from '../../web/console/inbox/texts.ts';
import { findLocale, formatNumber, joinWords, setTranslations } from '../../web/console/language.ts';
import type { Catalog } from '../../web/console/languages/catalog.ts';
import { texts as de } from '../../web/console/languages/de/index.ts';
import { texts as es } from '../../web/console/languages/es/index.ts';
import { texts as fr } from '../../web/console/languages/fr/index.ts';
import { texts as nl } from '../../web/console/languages/nl/index.ts';
import { translateRefusal } from '../../web/console/parts/refusals.ts';
import { words as reports } from '../../web/console/reports/texts.ts';
import { TEXTS } from '../../web/console/texts.ts';
import { WORDS as timers } from '../../web/console/timers/texts.ts';
import { describeTimer } from '../../web/console/timers/sentence.ts';
import { webhooks } from '../../web/console/webhooks/texts.ts';
import { readChosenLanguage } from '../../domain/languages.ts';

const LANGUAGES: [string, Catalog][] = [
  ['nl', nl],
  ['de', de],
  ['fr', fr],
  ['es', es],
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

const { inbox: _, ...shell } = TEXTS;
const ENGLISH = flatten({
  shell,
  inbox,
  labels,
  history,
  narrowing,
  selection,
  webhooks,
  channels,
  contacts,
  reports,
  timers,
});

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
function flattenOwn({ page: _page, refusals: _refusals, ...own }: Catalog): Map<string, Text> {
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
  ['The organization does not exist.', 'Diesen Eintrag gibt es nicht (mehr).'],
  ['a refusal that nobody has translated', 'a refusal that nobody has translated'],
])('the German console shows the refusal %j as %j', (english, german) => {
  expect(translateRefusal(english)).toBe(english);
  setTranslations('de', { ...de });
  expect(translateRefusal(english)).toBe(german);
});

test('the console returns to English, and lists and numbers follow the language', () => {
  setTranslations('de-DE', { ...de });
  expect([TEXTS.save, TEXTS.inbox.take, inbox.take]).toEqual(['Speichern', 'Übernehmen', 'Übernehmen']);
  expect([formatNumber(1234.5), joinWords(['Ada', 'Bob'])]).toEqual(['1.234,5', 'Ada und Bob']);
  setTranslations('en-US', {});
  expect([TEXTS.save, TEXTS.inbox.take, TEXTS.errors.entry(2)]).toEqual(['Save', 'Take', 'entry 2']);
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
