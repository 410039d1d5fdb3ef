import { beforeEach, describe, expect, it } from 'vitest';
import { InvalidationFeeds } from './invalidation-feeds.ts';

describe('InvalidationFeeds', () => {
  let now: number;
  let feeds: InvalidationFeeds;

  const receive = (feed: string, sequence: number, ageMs = 150) =>
    feeds.receive({ feed, sequence, jobIds: [], statusChanged: false, ageMs });

  beforeEach(() => {
    now = 1000;
    feeds = new InvalidationFeeds(() => now);
  });

  it('is incomplete before the first message', () => {
    expect(feeds.isCompleteSince(1000)).toBe(false);
    receive('a', 17);
    expect(feeds.isCompleteSince(999)).toBe(false);
    expect(feeds.isCompleteSince(1000)).toBe(true);
  });

  it('is complete without gaps, under 1 s after a message', () => {
    receive('a', 0);
    for (let sequence = 1; sequence < 100; sequence += 1) {
      now += 250;
      receive('a', sequence);
    }
    expect(feeds.isCompleteSince(1000)).toBe(true);
    now += 999;
    expect(feeds.isCompleteSince(1000)).toBe(false);
  });

  it('is incomplete before a lost message', () => {
    receive('a', 0);
    now += 250;
    receive('a', 2);
    expect(feeds.isCompleteSince(1000)).toBe(false);
    expect(feeds.isCompleteSince(now)).toBe(true);
  });

  it('is complete for 1 s after a late message', () => {
    receive('a', 0, 0);
    for (let sequence = 1; sequence < 20; sequence += 1) {
      now += 500;
      expect(feeds.isCompleteSince(1000)).toBe(true);
      receive('a', sequence, 350);
    }
    now += 549;
    expect(feeds.isCompleteSince(1000)).toBe(true);
    now += 1;
    expect(feeds.isCompleteSince(1000)).toBe(false);
    receive('a', 20, 2000);
    expect(feeds.isCompleteSince(1000)).toBe(false);
    receive('a', 21, 0);
    expect(feeds.isCompleteSince(1000)).toBe(true);
  });

  it('ignores old messages', () => {
    receive('a', 0);
    now += 700;
    receive('a', 1, 2000);
    now += 100;
    expect(feeds.isCompleteSince(1000)).toBe(false);
    receive('a', 2);
    expect(feeds.isCompleteSince(1000)).toBe(true);
  });

  it('trusts any feed without a gap', () => {
    receive('a', 0);
    receive('b', 5);
    now += 500;
    receive('b', 6);
    now += 500;
    receive('b', 7);
    expect(feeds.isCompleteSince(1000)).toBe(true);
    receive('c', 0);
    receive('b', 9);
    expect(feeds.isCompleteSince(1000)).toBe(false);
  });
});
