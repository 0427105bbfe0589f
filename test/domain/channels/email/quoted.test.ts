import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutQuote } from '../../../../domain/channels/email/quoted.ts';

const OWN = 'Yes, red.';
const QUOTE = '> Is the lamp red?\n>\n> Bob';
const BODY = 'Is the lamp red?';

/** Introductions of mail programs, above lines with `>`. */
const INTRODUCTIONS = [
  ['Gmail in English', 'On Mon, Nov 3, 2025 at 10:00 AM Bob <bob@example.com> wrote:\n'],
  [
    'Gmail in English, wrapped',
    'On Mon, Nov 3, 2025 at 10:00 AM Bob Example Longname\n<bob@example.com> wrote:\n',
  ],
  ['Gmail in Dutch', 'Op ma 3 nov 2025 om 10:00 schreef Bob <bob@example.com>:\n'],
  ['Gmail in German', 'Am Mo., 3. Nov. 2025 um 10:00 Uhr schrieb Bob <bob@example.com>:\n'],
  ['Gmail in French', 'Le lun. 3 nov. 2025 à 10:00, Bob <bob@example.com> a écrit :\n'],
  ['Gmail in Spanish', 'El lun, 3 nov 2025 a las 10:00, Bob (<bob@example.com>) escribió:\n'],
  ['Apple Mail in English', 'On 3 Nov 2025, at 10:00, Bob <bob@example.com> wrote:\n'],
  ['Apple Mail in Dutch', 'Op 3 nov 2025, om 10:00 heeft Bob <bob@example.com> het volgende geschreven:\n'],
  [
    'Apple Mail in Dutch, wrapped',
    'Op 3 nov 2025, om 10:00 heeft Bob Example Longname <bob@example.com> het volgende\ngeschreven:\n',
  ],
  ['Apple Mail in German', 'Am 03.11.2025 um 10:00 schrieb Bob <bob@example.com>:\n'],
  ['Apple Mail in French', 'Le 3 nov. 2025 à 10:00, Bob <bob@example.com> a écrit\u00a0:\n'],
  ['Apple Mail in Spanish', 'El 3 nov 2025, a las 10:00, Bob <bob@example.com> escribió:\n'],
  ['Thunderbird in English', 'On 11/3/25 10:00, Bob wrote:'],
  ['Thunderbird in Dutch', 'Op 03-11-2025 om 10:00 schreef Bob:'],
  ['Thunderbird in German', 'Am 03.11.25 um 10:00 schrieb Bob:'],
  ['Thunderbird in French', 'Le 03/11/2025 à 10:00, Bob a écrit\u00a0:'],
  ['Thunderbird in Spanish', 'El 3/11/25 a las 10:00, Bob escribió:'],
  ['mutt in English', 'On Mon, Nov 03, 2025 at 10:00:00AM +0100, Bob wrote:'],
  ['mutt with Dutch dates', 'On ma, nov 03, 2025 at 10:00:00 +0100, Bob wrote:'],
  ['mutt with German dates', 'On Mo, Nov 03, 2025 at 10:00:00 +0100, Bob wrote:'],
  ['mutt with French dates', 'On lun., nov. 03, 2025 at 10:00:00 +0100, Bob wrote:'],
  ['mutt with Spanish dates', 'On lun, nov 03, 2025 at 10:00:00 +0100, Bob wrote:'],
  ['mutt with a Dutch attribution', 'Op ma, nov 03, 2025 om 10:00:00 +0100, schreef Bob:'],
  ['mutt with a German attribution', 'Am Mo, Nov 03, 2025 um 10:00:00 +0100, schrieb Bob:'],
  ['mutt with a French attribution', 'Le lun., nov. 03, 2025 à 10:00:00 +0100, Bob a écrit :'],
  ['mutt with a Spanish attribution', 'El lun, nov 03, 2025 a las 10:00:00 +0100, Bob escribió:'],
] as const;

/** Headers that Outlook repeats above the mail, which has no `>`. */
const HEADERS = [
  [
    'Outlook in English',
    '________________________________\nFrom: Bob <bob@example.com>\nSent: Monday, November 3, 2025 10:00\nTo: Ada\nSubject: Lamp',
  ],
  [
    'Outlook in Dutch',
    'Van: Bob <bob@example.com>\nVerzonden: maandag 3 november 2025 10:00\nAan: Ada\nOnderwerp: Lamp',
  ],
  [
    'Outlook in German',
    'Von: Bob <bob@example.com>\nGesendet: Montag, 3. November 2025 10:00\nAn: Ada\nBetreff: Lampe',
  ],
  [
    'Outlook in French',
    'De : Bob <bob@example.com>\nEnvoyé : lundi 3 novembre 2025 10:00\nÀ : Ada\nObjet : Lampe',
  ],
  [
    'Outlook in Spanish',
    'De: Bob <bob@example.com>\nEnviado el: lunes, 3 de noviembre de 2025 10:00\nPara: Ada\nAsunto: Lámpara',
  ],
  ['an old Outlook', '-----Original Message-----\nFrom: Bob'],
] as const;

/** Replies of mail programs, without the text above. */
const REPLIES: [string, string][] = [
  ...INTRODUCTIONS.map(([name, line]): [string, string] => [name, `${line}\n${QUOTE}`]),
  ...INTRODUCTIONS.filter(([name]) => name.startsWith('Apple')).map(([name, line]): [string, string] => [
    `${name}, quoted with its introduction`,
    `${line}\n${BODY}`
      .split('\n')
      .map((text) => `> ${text}`)
      .join('\n'),
  ]),
  ['Apple Mail without a mark', `On 3 Nov 2025, at 10:00, Bob <bob@example.com> wrote:\n\n${BODY}`],
  ...HEADERS.map(([name, lines]): [string, string] => [name, `${lines}\n\n${BODY}`]),
  ['a quote alone', QUOTE],
  ['a signature', '-- \nAda\nExample Ltd'],
  ['a signature above a quote', `-- \nAda\n\nOn 11/3/25 10:00, Bob wrote:\n${QUOTE}`],
];

const quoted = (text: string) => text.replace(/^/gm, '> ').replace(/ $/gm, '');

/** Forwarded mails of mail programs, without the text above. */
const FORWARDS: [string, string, string?][] = [
  [
    'Gmail',
    `---------- Forwarded message ---------\nFrom: Bob <bob@example.com>\nDate: Mon, Nov 3, 2025 at 10:00 AM\nSubject: Lamp\nTo: Ada <ada@example.com>\n\n${BODY}`,
  ],
  [
    'Gmail in Dutch',
    `---------- Forwarded message ---------\nVan: Bob <bob@example.com>\nDate: ma 3 nov 2025 om 10:00\nSubject: Lamp\nTo: Ada <ada@example.com>\n\n${BODY}`,
  ],
  [
    'an older Gmail in French',
    `---------- Message transféré ----------\nDe : Bob <bob@example.com>\nDate : 3 novembre 2025 à 10:00\nObjet : Lampe\nÀ : ada@example.com\n\n${BODY}`,
  ],
  [
    'Apple Mail',
    `Begin forwarded message:\n\n${quoted(`From: Bob <bob@example.com>\nSubject: Lamp\nDate: 3 November 2025 at 10:00:00 CET\nTo: ada@example.com\n\n${BODY}`)}`,
  ],
  [
    'Apple Mail, quoted with its first line',
    quoted(
      `Begin forwarded message:\n\nFrom: Bob <bob@example.com>\nSubject: Lamp\nTo: ada@example.com\n\n${BODY}`,
    ),
  ],
  [
    'Apple Mail in Dutch',
    `Begin doorgestuurd bericht:\n\n${quoted(`Van: Bob <bob@example.com>\nOnderwerp: Lamp\nDatum: 3 november 2025 om 10:00:00 CET\nAan: ada@example.com\n\n${BODY}`)}`,
  ],
  [
    'Apple Mail in German',
    `Anfang der weitergeleiteten Nachricht:\n\n${quoted(`Von: Bob <bob@example.com>\nBetreff: Lampe\nDatum: 3. November 2025 um 10:00:00 MEZ\nAn: ada@example.com\n\n${BODY}`)}`,
  ],
  [
    'Apple Mail in French',
    `Début du message réexpédié\u00a0:\n\n${quoted(`De: Bob <bob@example.com>\nObjet: Lampe\nDate: 3 novembre 2025 à 10:00:00 UTC+1\nÀ: ada@example.com\n\n${BODY}`)}`,
  ],
  [
    'Apple Mail on a French phone',
    `Début du message transféré :\n\n${quoted(`De: Bob <bob@example.com>\nDate: 3 novembre 2025\nÀ: ada@example.com\nObjet: Lampe\n\n${BODY}`)}`,
  ],
  [
    'Apple Mail in Spanish',
    `Inicio del mensaje reenviado:\n\n${quoted(`De: Bob <bob@example.com>\nAsunto: Lámpara\nFecha: 3 de noviembre de 2025, 10:00:00 CET\nPara: ada@example.com\n\n${BODY}`)}`,
  ],
  [
    'Thunderbird',
    `-------- Forwarded Message --------\nSubject: \tLamp\nDate: \tMon, 3 Nov 2025 10:00:00 +0100\nFrom: \tBob <bob@example.com>\nTo: \tada@example.com\n\n${BODY}`,
  ],
  [
    'Thunderbird in Dutch',
    `-------- Doorgestuurd bericht --------\nOnderwerp: \tLamp\nDatum: \tMon, 3 Nov 2025 10:00:00 +0100\nVan: \tBob <bob@example.com>\nAan: \tada@example.com\n\n${BODY}`,
  ],
  [
    'Thunderbird in German',
    `-------- Weitergeleitete Nachricht --------\nBetreff: \tLampe\nDatum: \tMon, 3 Nov 2025 10:00:00 +0100\nVon: \tBob <bob@example.com>\nAn: \tada@example.com\n\n${BODY}`,
  ],
  [
    'Thunderbird in French',
    `-------- Message transféré --------\nSujet : \tLampe\nDate : \tMon, 3 Nov 2025 10:00:00 +0100\nDe : \tBob <bob@example.com>\nPour : \tada@example.com\n\n${BODY}`,
  ],
  [
    'Thunderbird in Spanish',
    `-------- Mensaje reenviado --------\nAsunto: \tLámpara\nFecha: \tMon, 3 Nov 2025 10:00:00 +0100\nDe: \tBob <bob@example.com>\nPara: \tada@example.com\n\n${BODY}`,
  ],
  [
    'mutt',
    `----- Forwarded message from Bob <bob@example.com> -----\n\nDate: Mon, 3 Nov 2025 10:00:00 +0100\nFrom: Bob <bob@example.com>\nTo: ada@example.com\nSubject: Lamp\n\n${BODY}\n\n----- End forwarded message -----`,
  ],
  ...HEADERS.flatMap(([name, lines]) =>
    ['FW: Lamp', 'Fwd: Lamp', 'WG: Lampe', 'TR : Lampe', 'RV: Lámpara'].map(
      (subject): [string, string, string] => [`${name} (${subject})`, `${lines}\n\n${BODY}`, subject],
    ),
  ),
];

/** Section 15.11 of the specification. */
describe('the quoted mail in a reply', () => {
  test.each(REPLIES)('the quote of %s is cut', (_, quote) => {
    const mail = `${OWN}\n\n${quote}`;
    for (const text of [mail, mail.replaceAll('\n', '\r\n')]) {
      for (const subject of ['', 'Re: Lamp', 'Re: Fwd: Lamp', 'AW: WG: Lampe'])
        expect(cutQuote(text, subject)).toEqual({ text: OWN, isCut: true });
    }
  });

  test.each([
    ['an honest sentence', 'From: here to there.\nThat is the way.'],
    ['a sentence that ends as an introduction', 'On Monday I wrote:\nthe lamp is red.'],
    ['a Dutch sentence that ends as an introduction', 'Op maandag heeft Bob geschreven:\nde lamp is rood.'],
    ['a list of headers', 'To: do\n\nFrom: scratch'],
    ['no text', ''],
  ])('no quote is found in %s', (_, mail) => {
    expect(cutQuote(mail)).toEqual({ text: mail, isCut: false });
  });

  test('replies between the lines of a quote are kept with the quote', () => {
    const mail = `On 11/3/25 10:00, Bob wrote:\n> Is the lamp red?\n\nYes.\n\n> Is it new?\n\nNo.`;
    expect(cutQuote(mail)).toEqual({ text: mail, isCut: false });
  });

  test('an answer below the quote is kept', () => {
    const mail = `On 11/3/25 10:00, Bob wrote:\n${QUOTE}\n\n${OWN}`;
    expect(cutQuote(mail).text).toBe(mail);
  });

  test('a mail that is only a quote is kept', () => {
    expect(cutQuote(QUOTE)).toEqual({ text: QUOTE, isCut: false });
  });

  const OWN_LINES = ['a', 'Yes, red.', '', 'From: x', 'To: y', 'On Monday I wrote:', 'Begin with this:', '-'];

  test('blank lines are folded, and nothing is added to any text', () => {
    expect(cutQuote('a\n\n\n\n\nb').text).toBe('a\n\nb');
    const lines = fc.constantFrom(...OWN_LINES, '> b', 'On 1/1/2025 10:00 B wrote:', '-- ');
    fc.assert(
      fc.property(fc.array(lines, { maxLength: 30 }), (given) => {
        const words = listWords(cutQuote(given.join('\n')).text);
        expect(listWords(given.join('\n')).slice(0, words.length)).toEqual(words);
      }),
    );
  });

  test('text above the first quote is never cut', () => {
    const quotes = [...REPLIES, ...FORWARDS].map(([, quote]) => quote);
    const below = fc.array(fc.constantFrom(...OWN_LINES, ...quotes), { maxLength: 4 });
    const lines = fc.constantFrom('a', '', 'c', 'To: y', 'On Monday I wrote:', 'Begin with this:');
    const above = fc.array(lines, { maxLength: 10 });
    fc.assert(
      fc.property(above, below, fc.constantFrom('', 'Fwd: Lamp'), (own, rest, subject) => {
        const words = listWords([...own, OWN].join('\n'));
        const { text } = cutQuote([...own, OWN, '', ...rest].join('\n'), subject);
        expect(listWords(text).slice(0, words.length)).toEqual(words);
      }),
    );
  });
});

describe('a forwarded mail', () => {
  test.each(FORWARDS)(
    'the mail that %s forwards is kept, with and without a text above',
    (_, mail, subject) => {
      const lines = listWords(mail);
      for (const above of ['', 'See below.\n\n', 'See below.\n\n-- \nAda\n\n']) {
        const { text, isCut } = cutQuote(`${above}${mail}`, subject);
        expect([listWords(text), isCut]).toEqual([[...listWords(above), ...lines], false]);
      }
    },
  );

  test('a reply to a forwarded mail loses it with the quote', () => {
    for (const [, forwarded] of FORWARDS) {
      const mail = `${OWN}\n\nOn 11/3/25 10:00, Bob wrote:\n${quoted(forwarded)}`;
      expect(cutQuote(mail, 'Re: Fwd: Lamp')).toEqual({ text: OWN, isCut: true });
    }
  });
});

function listWords(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');
}
