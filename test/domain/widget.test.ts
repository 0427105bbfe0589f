import { describe, expect, test } from 'vitest';
import { assertValidWidget, widgetSettings } from '../../domain/widget.ts';
import { computeContrast, buildPalette } from '../../web/look.ts';

const refusal = (widget: unknown) => {
  try {
    assertValidWidget({ widget });
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};

describe('the widget settings', () => {
  test.each([
    ['a path', 'https://shop.example/a'],
    ['a trailing slash', 'https://shop.example/'],
    ['a wildcard', 'https://*.shop.example'],
    ['a default port', 'https://shop.example:443'],
    ['capital letters', 'https://Shop.example'],
    ['another scheme', 'ftp://shop.example'],
    ['credentials', 'https://a:b@shop.example'],
    ['characters that would end a policy directive', 'https://a;script-src *'],
    ['characters that would end a policy directive, without a space', 'https://a;b'],
    ['a second source', "https://a,https://b'"],
    ['no host', 'https://'],
    ['a number instead of a text', 7],
  ])('the widget settings reject an origin with %s', (_, origin) => {
    expect(refusal({ origins: ['https://shop.example', origin] })).toMatch(
      /^meta\.widget\.origins\.1: must be an origin/,
    );
    expect(widgetSettings({ widget: { origins: [origin, 'https://shop.example'] } }).origins).toEqual([
      'https://shop.example',
    ]);
  });

  test.each([
    ['nothing', undefined],
    ['null', null],
    [
      'websites and words',
      {
        origins: ['http://localhost:8080', 'https://xn--bcher-kva.example', 'http://[::1]:3000'],
        colour: '#ABCDEF',
        welcome: 'Hi',
        hours: 'Mo–Fr',
      },
    ],
    ['cleared settings', { origins: null, colour: null, welcome: null, hours: null }],
  ])('the widget settings accept %s', (_, widget) => {
    expect(refusal(widget)).toBeUndefined();
  });

  test.each([
    ['a list', [], 'meta.widget: must be an object'],
    [
      'an unknown setting',
      { origin: [] },
      'meta.widget.origin: is not one of origins, colour, welcome, hours',
    ],
    [
      'origins that are not a list',
      { origins: 'https://a' },
      'meta.widget.origins: must be a list of origins',
    ],
    [
      'too many origins',
      { origins: Array.from({ length: 51 }, (_, at) => `https://a${at}`) },
      'meta.widget.origins: must not have more than 50',
    ],
    ['a colour by name', { colour: 'red' }, 'meta.widget.colour: must be a colour such as #3454d1'],
    ['a style for a colour', { colour: '#fff;x:y' }, 'meta.widget.colour: must be a colour such as #3454d1'],
    ['an empty welcome', { welcome: ' ' }, 'meta.widget.welcome: must be a text of 1 to 1000 characters'],
    [
      'invisible hours',
      { hours: '\u200b\u3164' },
      'meta.widget.hours: must be a text of 1 to 500 characters',
    ],
    ['long hours', { hours: 'x'.repeat(501) }, 'meta.widget.hours: must be a text of 1 to 500 characters'],
  ])('the widget settings reject %s', (_, widget, words) => {
    expect(refusal(widget)).toBe(words);
  });

  test('the widget settings ignore stored invalid values', () => {
    expect(widgetSettings({ widget: { origins: 'x', colour: 'red', welcome: 7, hours: {} } })).toEqual({
      origins: [],
    });
    expect(widgetSettings({ widget: 'on' })).toEqual({ origins: [] });
    expect(widgetSettings({})).toEqual({ origins: [] });
  });
});

test('every colour yields text with a contrast of at least 4.5 to 1, in light and dark mode', () => {
  for (let red = 0; red < 256; red += 15) {
    for (let green = 0; green < 256; green += 15) {
      for (let blue = 0; blue < 256; blue += 15) {
        const colour = `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
        const { mine, onMine, accent } = buildPalette(colour);
        const contrasts = [
          computeContrast(mine, onMine),
          ...['#ffffff', '#f3f4f7'].map((back) => computeContrast(accent.light, back)),
          ...['#22262d', '#14161a'].map((back) => computeContrast(accent.dark, back)),
        ];
        if (Math.min(...contrasts) < 4.5) throw new Error(`${colour}: ${contrasts.join()}`);
      }
    }
  }
  expect(computeContrast('#000000', '#ffffff')).toBeCloseTo(21);
  // A colour with enough contrast stays unchanged.
  expect(buildPalette('#3454d1')).toMatchObject({
    mine: '#3454d1',
    onMine: '#ffffff',
    accent: { light: '#3454d1' },
  });
});
