import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { evaluate } from '../../../application/expressions/process/engine.ts';
import { toFault } from '../../../application/expressions/process/fault.ts';

async function result(text: string, body: unknown = null): Promise<unknown> {
  const json = await evaluate(text, { body: JSON.stringify(body) }, () => Promise.resolve(undefined));
  return json === undefined ? undefined : JSON.parse(json);
}

async function refusal(text: string): Promise<string> {
  try {
    await result(text);
  } catch (error) {
    const { message, place } = toFault(error, text);
    return `${message} (${place})`;
  }
  return 'no fault';
}

const GUIDE = readFileSync('docs/events.md', 'utf8');
const WINTER = '$toMillis("2026-12-04T09:30:00Z")';
const SUMMER = '$toMillis("2026-05-04T08:30:00Z")';
const CLOCK = '"[Y]-[M01]-[D01] [H01]:[m01]"';

/** Spec 2.1, 8.10. */
describe('times in expressions', () => {
  test.each([
    ['$toMillis("2026-05-04T10:30:00")', '2026-05-04T10:30:00.000Z'],
    ['$toMillis("2026-12-04T10:30:00")', '2026-12-04T10:30:00.000Z'],
    ['$toMillis("2026-05-04T10:30")', '2026-05-04T10:30:00.000Z'],
    ['$toMillis("2026-05-04")', '2026-05-04T00:00:00.000Z'],
    ['$toMillis("2026-05")', '2026-05-01T00:00:00.000Z'],
    ['$toMillis("2026")', '2026-01-01T00:00:00.000Z'],
    ['$toMillis("2026-05-04T10:30:00.5+05:30")', '2026-05-04T05:00:00.500Z'],
    ['$toMillis("2026-05-04T10:30:00-0330")', '2026-05-04T14:00:00.000Z'],
    ['$toMillis("2026-05-04T24:00:00Z")', '2026-05-05T00:00:00.000Z'],
    ['$toMillis("0050-02-28")', '0050-02-28T00:00:00.000Z'],
    ['$toMillis("29.02.2028", "[D01].[M01].[Y0001]")', '2028-02-29T00:00:00.000Z'],
    ['$toMillis("5/4/2026 1:05 pm", "[M]/[D]/[Y] [h]:[m] [P]")', '2026-05-04T13:05:00.000Z'],
    ['$toMillis("12:30 AM 4/5/2026", "[h]:[m01] [P] [D]/[M]/[Y]")', '2026-05-04T00:30:00.000Z'],
    ['$toMillis("Monday, 4th May 2026", "[FNn], [D1o] [MNn] [Y]")', '2026-05-04T00:00:00.000Z'],
    ['$toMillis("Mon, 4 May 2026", "[FNn,3-3], [D] [MNn] [Y]")', '2026-05-04T00:00:00.000Z'],
    ['$toMillis("1, 4.5.2026", "[F1], [D].[M].[Y]")', '2026-05-04T00:00:00.000Z'],
    ['$toMillis("2026-05-04 (week 19)", "[Y]-[M]-[D] (week [W])")', '2026-05-04T00:00:00.000Z'],
    ['$toMillis("4 May 2026", "[D] [MNn,3-3] [Y]")', '2026-05-04T00:00:00.000Z'],
    ['$toMillis("20260504103000", "[Y0001][M01][D01][H01][m01][s01]")', '2026-05-04T10:30:00.000Z'],
    ['$toMillis("2026-124", "[Y]-[d]")', '2026-05-04T00:00:00.000Z'],
    ['$toMillis("4.V.MMXXVI", "[D].[MI].[YI]")', '2026-05-04T00:00:00.000Z'],
    [
      '$toMillis("thirty-first May two thousand and twenty-six", "[Dwo] [MNn] [Yw]")',
      '2026-05-31T00:00:00.000Z',
    ],
    ['$toMillis("04.05.2026 24:00", "[D].[M].[Y] [H]:[m]")', '2026-05-05T00:00:00.000Z'],
    ['$toMillis("2026-05-04 10:30 -05:30", "[Y]-[M]-[D] [H]:[m] [Z]")', '2026-05-04T16:00:00.000Z'],
    ['$toMillis("2026-05-04 10:30+0530", "[Y]-[M]-[D] [H]:[m][Z0001]")', '2026-05-04T05:00:00.000Z'],
    ['$toMillis("2026-05-04 10:30 GMT-3", "[Y]-[M]-[D] [H]:[m] [z]")', '2026-05-04T13:30:00.000Z'],
    ['$toMillis("hello", "[D].[M].[Y]")', undefined],
  ])('the expression %s returns the expected time; a time without an offset is UTC', async (text, time) => {
    const millis = await result(text);
    expect(typeof millis === 'number' ? new Date(millis).toISOString() : millis).toBe(time);
  });

  test.each([
    '$toMillis("2026-02-30")',
    '$toMillis("2026-02-31T10:00:00Z")',
    '$toMillis("2026-13-01")',
    '$toMillis("2026-00-10")',
    '$toMillis("2026-05-04T25:00:00Z")',
    '$toMillis("2026-05-04T10:70:00Z")',
    '$toMillis("2026-05-04T24:30:00Z")',
    '$toMillis("2027-02-29")',
    '$toMillis("31.02.2026", "[D01].[M01].[Y0001]")',
    '$toMillis("20260231", "[Y0001][M01][D01]")',
    '$toMillis("25:70", "[H01]:[m01]")',
    '$toMillis("13:00 am", "[h]:[m] [P]")',
    '$toMillis("00.2026", "[M].[Y]")',
    '$toMillis("may 2026", "[MNn] [Y]")',
    '$toMillis("Monday 5 May 2026", "[FNn] [D] [MNn] [Y]")',
    '$toMillis("2026 W60", "[Y] W[W]")',
    '$toMillis("2026-W19-1", "[Y]-W[W]-[F1]")',
    '$toMillis("week 3 of May 2026", "week [w] of [MNn] [Y]")',
    '$toMillis("31.12.26", "[D01].[M01].[Y01]")',
    '$toMillis("2026-366", "[Y]-[d]")',
    '$toMillis("thirty-first June two thousand and twenty-six", "[Dwo] [MNn] [Yw]")',
    '$toMillis("2026-05-04 10:30 +05:99", "[Y]-[M]-[D] [H]:[m] [Z]")',
  ])('the invalid time in %s is rejected with the position of the error', async (text) => {
    expect(await refusal(text)).toMatch(/^The time ".*\(in \$toMillis, line 1, column 1, character 10\)$/);
  });

  test.each([
    [`$fromMillis(0, ${CLOCK}, "+05:00")`, '1970-01-01 05:00'],
    [`$fromMillis(0, ${CLOCK}, "+0500")`, '1970-01-01 05:00'],
    [`$fromMillis(0, ${CLOCK}, "0500")`, '1970-01-01 05:00'],
    [`$fromMillis(0, ${CLOCK}, "+5")`, '1970-01-01 05:00'],
    [`$fromMillis(0, ${CLOCK}, "-03:30")`, '1969-12-31 20:30'],
    [`$fromMillis(0, ${CLOCK}, "-0330")`, '1969-12-31 20:30'],
    [`$fromMillis(0, ${CLOCK}, "Z")`, '1970-01-01 00:00'],
    [`$fromMillis(${WINTER}, ${CLOCK}, "Europe/Amsterdam")`, '2026-12-04 10:30'],
    [`$fromMillis(${SUMMER}, ${CLOCK}, "Europe/Amsterdam")`, '2026-05-04 10:30'],
    [`$fromMillis(${SUMMER}, ${CLOCK}, "America/St_Johns")`, '2026-05-04 06:00'],
    [`$fromMillis(${SUMMER}, ${CLOCK}, "UTC")`, '2026-05-04 08:30'],
    ['$fromMillis(0, "[H01][m01] [Z] [z] [Z0001] [[Z]]", "-03:30")', '2030 -03:30 GMT-03:30 -0330 [Z]'],
    ['$fromMillis(0, "[H01][m01] [Z] [Z01:01t]", "Asia/Kolkata")', '0530 +05:30 +05:30'],
    ['$fromMillis(0)', '1970-01-01T00:00:00.000Z'],
    ['$fromMillis(0, $nothing, "+01:00")', '1970-01-01T01:00:00.000+01:00'],
    ['$contains($now("[Z]", "Asia/Kolkata"), "+05:30") and $now() = $fromMillis($millis())', true],
    ['$map([0], function($t) { $fromMillis($t) })', '1970-01-01T00:00:00.000Z'],
    ['(0 ~> $fromMillis(?, "[H01]:[m01]", "+05:00"))', '05:00'],
    ["$eval(\"$fromMillis(0, '[H]', '+05:00')\")", '5'],
  ])('the expression %s formats a time in the given time zone, by default in UTC', async (text, shown) => {
    expect(await result(text)).toBe(shown);
  });

  test.each([
    ['\n $fromMillis(0, "[H]", "Europe/Amsterdm")', 'There is no time zone "Europe/Amsterdm".'],
    ['\n $fromMillis(0, "[H]", "")', 'There is no time zone "".'],
    ['\n $fromMillis(0, "[H]", "+99:00")', 'There is no time zone "+99:00".'],
    ['\n $fromMillis(0, "[H]", "+05:60")', 'There is no time zone "+05:60".'],
    ['\n $fromMillis(1e17)', '100000000000000000 is not a time in milliseconds.'],
  ])('the expression %s is rejected with the position of the error', async (text, said) => {
    const words = await refusal(text);
    expect(words).toContain(said);
    expect(words).toMatch(/\(in \$fromMillis, line 2, column 2, character \d+\)$/);
  });

  test('an unknown time zone of $now is rejected with the position of the error', async () => {
    expect(await refusal('$now("[H]", "Mars/Base")')).toMatch(/"Mars\/Base".*\(in \$now, line 1, column 1/);
  });

  const EXAMPLE = 'examples/events/appointment-booked';

  test.each([
    ['2026-05-04T10:30:00+02:00', 'Monday, 4 May 2026, 10:30'],
    ['2026-12-04T10:30:00+01:00', 'Friday, 4 December 2026, 10:30'],
    ['2026-12-04T09:30:00Z', 'Friday, 4 December 2026, 10:30'],
  ])(
    'the appointment example formats the start %s in the local time zone of the appointment',
    async (startsAt, shown) => {
      const body = JSON.parse(readFileSync(`${EXAMPLE}/body.json`, 'utf8')) as object;
      const expression = readFileSync(`${EXAMPLE}/expression.jsonata`, 'utf8');
      expect(JSON.stringify(await result(expression, { ...body, startsAt }))).toContain(`on ${shown}.`);
    },
  );

  test.each([
    ['2026-05-04T08:30:00Z', '04.05.2026', '10:30'],
    ['2026-12-04T09:30:00Z', '04.12.2026', '10:30'],
  ])(
    'the test drive example of docs/events.md formats the start %s in its time zone, Europe/Berlin',
    async (start, date, time) => {
      const [, expression = ''] = /json event test-drive.booked.*?```jsonata\n(.*?)```/s.exec(GUIDE) ?? [];
      const shown = JSON.stringify(await result(expression, { start, vehicle: {} }));
      expect(shown).toContain(`"date":"${date}","time":"${time}"`);
    },
  );
});
