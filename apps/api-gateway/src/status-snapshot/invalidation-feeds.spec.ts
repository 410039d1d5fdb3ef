import { beforeEach, describe, expect, it } from 'vitest';
import { InvalidationFeeds } from './invalidation-feeds.ts';

describe('InvalidationFeeds', () => {
  let now: number;
  let feeds: InvalidationFeeds;

  const hear = (feed: string, sequence: number, ageMs = 150) =>
    feeds.hear({ feed, sequence, jobIds: [], statusChanged: false, ageMs });

  beforeEach(() => {
    now = 1000;
    feeds = new InvalidationFeeds(() => now);
  });

  it('vouches for nothing before the first message', () => {
    expect(feeds.isWholeSince(1000)).toBe(false);
    hear('a', 17);
    expect(feeds.isWholeSince(999)).toBe(false);
    expect(feeds.isWholeSince(1000)).toBe(true);
  });

  it('vouches without gaps, and under a second without messages', () => {
    hear('a', 0);
    for (let sequence = 1; sequence < 100; sequence += 1) {
      now += 250;
      hear('a', sequence);
    }
    expect(feeds.isWholeSince(1000)).toBe(true);
    now += 999;
    expect(feeds.isWholeSince(1000)).toBe(false);
  });

  it('vouches for nothing from before a lost message', () => {
    hear('a', 0);
    now += 250;
    hear('a', 2);
    expect(feeds.isWholeSince(1000)).toBe(false);
    expect(feeds.isWholeSince(now)).toBe(true);
  });

  it('vouches for one second after a late message', () => {
    hear('a', 0, 0);
    for (let sequence = 1; sequence < 20; sequence += 1) {
      now += 500;
      expect(feeds.isWholeSince(1000)).toBe(true);
      hear('a', sequence, 350);
    }
    now += 549;
    expect(feeds.isWholeSince(1000)).toBe(true);
    now += 1;
    expect(feeds.isWholeSince(1000)).toBe(false);
    hear('a', 20, 2000);
    expect(feeds.isWholeSince(1000)).toBe(false);
    hear('a', 21, 0);
    expect(feeds.isWholeSince(1000)).toBe(true);
  });

  it('ignores old messages', () => {
    hear('a', 0);
    now += 700;
    hear('a', 1, 2000);
    now += 100;
    expect(feeds.isWholeSince(1000)).toBe(false);
    hear('a', 2);
    expect(feeds.isWholeSince(1000)).toBe(true);
  });

  it('trusts any feed without a gap', () => {
    hear('a', 0);
    hear('b', 5);
    now += 500;
    hear('b', 6);
    now += 500;
    hear('b', 7);
    expect(feeds.isWholeSince(1000)).toBe(true);
    hear('c', 0);
    hear('b', 9);
    expect(feeds.isWholeSince(1000)).toBe(false);
  });
});
