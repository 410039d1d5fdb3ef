import { describe, expect, it } from 'vitest';
import { countdownAnnouncement, countdownText } from './time-left.tsx';

describe('countdownText', () => {
  it('counts down from fifteen minutes and never below zero', () => {
    expect(countdownText(15 * 60_000)).toBe('15:00');
    expect(countdownText(65_000)).toBe('1:05');
    expect(countdownText(-1)).toBe('0:00');
  });
});

describe('countdownAnnouncement', () => {
  it('speaks a few times in fifteen minutes, not every second', () => {
    const spoken = new Set<string>();
    for (let left = 15 * 60_000; left >= 0; left -= 1000) spoken.add(countdownAnnouncement(left));
    expect([...spoken]).toEqual([
      '',
      'Less than 10 minutes left to pay',
      'Less than 5 minutes left to pay',
      'Less than 2 minutes left to pay',
      'Less than 1 minute left to pay',
      'Less than 30 seconds left to pay',
      'The time to pay is over',
    ]);
  });
});
