import type { ReceiptFile } from './file/receipt-file.ts';

/** Path of a value in a file, such as `['receipt', 'orders', 3, 'gasWei']`. */
export type Place = readonly (string | number)[];

/** A file with one changed field. */
export interface Forgery {
  readonly place: Place;
  /** Content of the file, as JSON. */
  readonly file: ReceiptFile;
}

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** Paths of all values in a file. */
export function placesOf(content: unknown, before: Place = []): readonly Place[] {
  if (content === null || typeof content !== 'object') return [before];
  return Object.entries(content).flatMap(([name, inner]) =>
    placesOf(inner, [...before, Array.isArray(content) ? Number(name) : name]),
  );
}

/** Files with one changed field each, over all places. The same seed gives the same files. */
export function* forgeriesOf(file: ReceiptFile, count: number, seed: number): Generator<Forgery> {
  const places = placesOf(file);
  const random = randomOf(seed);
  for (let index = 0; index < count; index++) {
    // Each place once before any repeats.
    const place = places[index < places.length ? index : Math.floor(random() * places.length)] ?? [];
    yield { place, file: changedAt(file as unknown as Json, place, random) as unknown as ReceiptFile };
  }
}

/** Copies the content with one change; shares the rest with the original. */
function changedAt(content: Json, [name, ...rest]: Place, random: () => number): Json {
  if (name === undefined) return otherValue(content, random);
  if (Array.isArray(content)) {
    return content.map((inner, index) => (index === name ? changedAt(inner, rest, random) : inner));
  }
  const container = content as Readonly<Record<string, Json>>;
  return { ...container, [name]: changedAt(container[name] as Json, rest, random) };
}

/** Another value of the same format, so that the schema does not reject it. */
function otherValue(value: Json, random: () => number): Json {
  if (value === null) return random() < 0.5 ? '1' : `0x${'ab'.repeat(20)}`;
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value + 1 + Math.floor(random() * 50);
  if (typeof value !== 'string') throw new TypeError('a place holds a single value');
  if (/^0x[0-9a-f]+$/.test(value)) return changedDigit(value, random);
  if (/^\d{4}-.*Z$/.test(value)) return new Date(Date.parse(value) + 1000 * Math.ceil(random() * 5000)).toISOString();
  if (/^\d+$/.test(value)) return otherAmount(BigInt(value), random);
  return OTHER_WORDS[value] ?? `${value}x`;
}

/** Replacements for the values of enums. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  final: 'interim',
  filled: 'reverted',
  reverted: 'filled',
  voided: 'filled',
  transfer: 'untraced',
  fee: 'return',
  delivery: 'return',
  return: 'fee',
  refund: 'return',
};

function otherAmount(amount: bigint, random: () => number): string {
  const changed = [amount + 1n, amount * 2n + 1n, amount / 2n, amount + 1_000_000_007n][Math.floor(random() * 4)] ?? 0n;
  return `${changed === amount ? amount + 1n : changed}`;
}

function changedDigit(hex: string, random: () => number): string {
  const at = 2 + Math.floor(random() * (hex.length - 4));
  const digit = (Number.parseInt(hex[at] ?? '0', 16) + 1 + Math.floor(random() * 14)) % 16;
  return `${hex.slice(0, at)}${digit.toString(16)}${hex.slice(at + 1)}`;
}

/** Mulberry32: a small random generator with the same results on every machine. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
