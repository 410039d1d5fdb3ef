import { isUnguessableKey, parseHype } from '@maker/rules';
import { describe, expect, it } from 'vitest';
import { wholePayment, wholeRoundKey, wholeRoundsADay } from './whole-rounds.ts';

const SECRET = `0x${'5'.repeat(64)}`;
const TOKEN = '0x5555555555555555555555555555555555555555';
const LEAST = parseHype('0.25');

describe('whole rounds', () => {
  it.each([
    ['1', 13],
    ['0.075', 1],
    ['0.0749', 0],
    ['0', 0],
  ])('costs at most its daily fee: %s HYPE, %i rounds', (dailyFee, rounds) => {
    expect(wholeRoundsADay(parseHype(dailyFee), LEAST)).toBe(rounds);
  });

  it('pays the gateway’s minimum as an exact number', () => {
    expect(wholePayment(LEAST)).toBe(LEAST);
    const least = wholePayment(0n);
    expect(least).toBe(parseHype('0.1435'));
    expect(parseHype(String(Number('0.1435')))).toBe(least);
  });

  it('uses a fixed set of keys per day', () => {
    const midnight = Date.parse('2026-11-22T00:00:00Z');
    const keys = Array.from({ length: 1440 }, (_, minute) =>
      wholeRoundKey(SECRET, midnight + minute * 60_000, 13, TOKEN, LEAST),
    );
    expect(new Set(keys).size).toBe(13);
    expect(wholeRoundKey(SECRET, midnight + 86_400_000, 13, TOKEN, LEAST)).not.toBe(keys[0]);
  });

  it('uses another key for another token or amount', () => {
    const now = Date.parse('2026-11-22T12:00:00Z');
    const other = '0x6666666666666666666666666666666666666666';
    expect(wholeRoundKey(SECRET, now, 1, TOKEN, LEAST)).not.toBe(wholeRoundKey(SECRET, now, 1, other, LEAST));
    expect(wholeRoundKey(SECRET, now, 1, TOKEN, LEAST)).not.toBe(wholeRoundKey(SECRET, now, 1, TOKEN, LEAST + 1n));
  });

  it('have keys that others cannot guess', () => {
    const key = wholeRoundKey(SECRET, 0, 1, TOKEN, LEAST);
    expect(isUnguessableKey(String(key))).toBe(true);
    expect(wholeRoundKey(`0x${'6'.repeat(64)}`, 0, 1, TOKEN, LEAST)).not.toBe(key);
  });

  it('have no key if the day has none', () => {
    expect(wholeRoundKey(SECRET, Date.now(), 0, TOKEN, LEAST)).toBeUndefined();
  });
});
