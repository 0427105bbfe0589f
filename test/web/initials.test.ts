import { describe, expect, test } from 'vitest';
import { getInitials } from '../../web/components/shown-text.ts';

describe('initials', () => {
  test.each([
    ['Ada Lovelace', 'AL'],
    ['Anna Maria Schmidt', 'AS'],
    ['ada', 'A'],
    ['\u{1F468}\u200D\u{1F469}\u200D\u{1F467} Team', '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}T'],
    ['\u{1F1F3}\u{1F1F1} Desk', '\u{1F1F3}\u{1F1F1}D'],
    ['E\u0301mile Zola', '\u00C9Z'],
    ['Dr. Grace Hopper', 'GH'],
    ['Prof. Dr. Lise Meitner', 'LM'],
    ['Dr.', 'D'],
    ['Vincent van Gogh', 'VG'],
    ['ludwig van beethoven', 'LB'],
    ['\u5C71\u7530\u592A\u90CE', '\u5C71'],
    ['\u5C71\u7530 \u592A\u90CE', '\u5C71\u592A'],
    ['(Support) Team', 'ST'],
    ['\u00DFeta', '\u00DF'],
    ['ada@example.com', 'A'],
    ['\u202Efdp Ada', 'A'],
    ['Desk 42', 'D'],
    ['J. R. Tolkien', 'JT'],
    ['\u0928\u093F\u0927\u093F \u0930\u093E\u0935', '\u0928\u093F\u0930\u093E'],
    ['', ''],
    ['+31 612', ''],
  ])('%s has the initials %s', (name, initials) => expect(getInitials(name)).toBe(initials));
});
