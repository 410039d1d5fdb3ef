/// <reference types="node" />
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');

const TEXT = 4.5;
const BOUNDARY = 3;

/** Colour pairs that occur on a screen: foreground, background, least contrast. */
const PAIRS: readonly (readonly [string, string, number])[] = [
  ...['ground', 'surface', 'sunken', 'accent-tint'].flatMap((background) => [
    ['ink', background, TEXT] as const,
    ['ink-soft', background, TEXT] as const,
    ['accent', background, TEXT] as const,
    ['accent-strong', background, TEXT] as const,
  ]),
  ...['ground', 'surface', 'sunken'].flatMap((background) => [
    ['red', background, TEXT] as const,
    ['green', background, TEXT] as const,
    ['yellow', background, TEXT] as const,
    ['control', background, BOUNDARY] as const,
  ]),
  ['on-accent', 'accent', TEXT],
  ['on-accent', 'accent-strong', TEXT],
  ['green', 'green-tint', TEXT],
  ['yellow', 'yellow-tint', TEXT],
  ['red', 'red-tint', TEXT],
];

const [light = '', dark = ''] = css.split('@media (prefers-color-scheme: dark)');

describe.each([
  ['light', light],
  ['dark', dark],
])('the %s theme', (_, theme) => {
  const colours = new Map(
    [...theme.matchAll(/--colour-([\w-]+): (#[0-9a-f]{6});/g)].map((match) => [match[1], match[2]]),
  );

  it.each(PAIRS)('shows %s on %s at %d:1 or more', (foreground, background, least) => {
    expect(contrast(colours.get(foreground), colours.get(background))).toBeGreaterThanOrEqual(least);
  });
});

function contrast(first: string | undefined, second: string | undefined): number {
  if (!first || !second) throw new Error('the colour is not in the theme');
  const [darker = 0, lighter = 0] = [luminance(first), luminance(second)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const share = Number.parseInt(colour.slice(start, start + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
