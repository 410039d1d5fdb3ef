/** A UUID v4 has 122 random bits. The other versions have a time, a counter or a name. */
const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** 128 bits, in one case. A text of decimal digits is a number or a time. */
const HEX = /^(?=.*[a-f])(?=.*\d)[0-9a-f]{32,}$/;

/** 126 bits. A text in one case has an alphabet of fewer bits, or is a sentence. */
const BASE64URL = /^(?=.*[a-z])(?=.*[A-Z])[A-Za-z0-9_-]{21,}$/;

/** Hyphenless UUIDs of times between 2020 and 2040: v1, v6 and v7. A random text is one of them once in 5,000 times. */
const TIMES: readonly (readonly [version: string, time: (hex: string) => bigint, msOf: (time: bigint) => bigint])[] = [
  ['1', (hex) => BigInt(`0x${hex.slice(13, 16)}${hex.slice(8, 12)}${hex.slice(0, 8)}`), gregorianMs],
  ['6', (hex) => BigInt(`0x${hex.slice(0, 12)}${hex.slice(13, 16)}`), gregorianMs],
  ['7', (hex) => BigInt(`0x${hex.slice(0, 12)}`), (time) => time],
];
const YEARS_MS = [BigInt(Date.UTC(2020)), BigInt(Date.UTC(2040))] as const;

/** A time of a UUID v1 counts 100 ns from 1582. */
function gregorianMs(time: bigint): bigint {
  return time / 10_000n + BigInt(Date.UTC(1582, 9, 15));
}

/**
 * Whether an idempotency key has at least 120 random bits by its form: a UUID v4, 32 or more digits of hex in one case, or 21 or more
 * characters of base64url. Texts that repeat, count or use few characters have none of it. A hash of a guessable text
 * looks random and is not: no function can tell. Refuses one of a million random UUIDs at most.
 * Source: docs/adr/0144.
 */
export function isUnguessableKey(key: string): boolean {
  const lower = key.toLowerCase();
  const isOneCase = key === lower || key === key.toUpperCase();
  if (isOneCase && UUID_V4.test(lower)) return looksRandom(lower.replaceAll('-', ''), { distinct: 8, repeat: 8 });
  if (isOneCase && HEX.test(lower)) return !isTimed(lower) && looksRandom(lower, { distinct: 8, repeat: 8 });
  return BASE64URL.test(key) && looksRandom(key, { distinct: 12, repeat: 5 });
}

/** @param least fewest different characters @param repeat length of a part that comes twice only in a text that is not random */
function looksRandom(
  text: string,
  { distinct, repeat }: { readonly distinct: number; readonly repeat: number },
): boolean {
  return new Set(text).size >= distinct && !repeats(text, repeat) && !counts(text, 1) && !counts(text, 2);
}

function repeats(text: string, length: number): boolean {
  const parts = new Set<string>();
  for (let at = 0; at + length <= text.length; at++) parts.add(text.slice(at, at + length));
  return parts.size < text.length - length + 1;
}

/** Whether most characters are equal or next to the one `distance` before. */
function counts(text: string, distance: number): boolean {
  const order = '0123456789abcdefghijklmnopqrstuvwxyz';
  const places = [...text.toLowerCase()].map((character) => order.indexOf(character));
  const near = places.filter((place, at) => at >= distance && Math.abs(place - (places[at - distance] ?? place)) <= 1);
  return near.length > (text.length - distance) * 0.6;
}

function isTimed(hex: string): boolean {
  return (
    hex.length === 32 &&
    /[89ab]/.test(hex.charAt(16)) &&
    TIMES.some(([version, time, msOf]) => {
      if (hex.charAt(12) !== version) return false;
      const ms = msOf(time(hex));
      return ms >= YEARS_MS[0] && ms < YEARS_MS[1];
    })
  );
}
