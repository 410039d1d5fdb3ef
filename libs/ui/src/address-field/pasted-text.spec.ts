import { expect, it } from 'vitest';
import { pastedText } from './pasted-text.ts';

const ADDRESS = `0x${'aB'.repeat(20)}`;

it.each([
  ['spaces', ' \t\n\u00a0\u2009'],
  ['zero-width characters', '\u200b\u200c\u200d\u2060\u180e'],
  ['marks of direction', '\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069'],
  ['soft hyphens and byte order marks', '\u00ad\ufeff'],
  ['variation selectors and fillers', '\ufe0f\u3164\u115f'],
])('removes %s around an address', (_, invisible) => {
  expect(pastedText(`${invisible}${ADDRESS}${invisible}`)).toBe(ADDRESS);
});

it('removes invisible characters inside, but nothing visible', () => {
  const typed = [...ADDRESS].join('\u200b\u00ad\u2060\ufeff\u202e');
  expect(pastedText(typed)).toBe(ADDRESS);
  expect(pastedText('0x12 34-о')).toBe('0x12 34-о');
});
