import { beforeEach, describe, expect, it } from 'vitest';
import { ServerClock } from './server-clock.ts';

const NOW = Date.UTC(2026, 0, 1, 12);
const at = (ms: number) => new Date(ms).toUTCString();

let wall: number;
let steady: number;
let clock: ServerClock;
const pass = (ms: number) => {
  wall += ms;
  steady += ms;
};

beforeEach(() => {
  wall = NOW;
  steady = 0;
  clock = new ServerClock({ wall: () => wall, steady: () => steady });
});

describe('ServerClock', () => {
  it('is the visitor’s clock before the first answer', () => {
    expect(clock.now()).toBe(NOW);
    clock.learn(null, 0);
    clock.learn('soon', 0);
    expect(clock.now()).toBe(NOW);
  });

  it.each([20 * 60_000, -3 * 3_600_000, 400 * 86_400_000])(
    'follows the server at a visitor’s clock %d ms off',
    (off) => {
      wall = NOW + off;
      clock.learn(at(NOW), 200);
      expect(Math.abs(clock.now() - NOW)).toBeLessThanOrEqual(1000);
      pass(10_000);
      expect(Math.abs(clock.now() - NOW - 10_000)).toBeLessThanOrEqual(1000);
      expect(Math.abs(clock.ofVisitor(wall) - NOW - 10_000)).toBeLessThanOrEqual(1000);
    },
  );

  it('never goes back or repeats a second with consistent answers', () => {
    let before = 0;
    for (let second = 0; second < 60; second += 1) {
      clock.learn(at(NOW + second * 1000), (second % 5) * 100);
      expect(clock.now()).toBeGreaterThan(before);
      before = clock.now();
      pass(1000);
    }
  });

  it.each([30 * 60_000, -3_600_000])('detects a clock change of %d ms until an answer', (by) => {
    expect(clock.hasJumped()).toBe(false);
    clock.learn(at(NOW), 0);
    pass(5000);
    expect(clock.hasJumped()).toBe(false);
    wall += by;
    expect(clock.hasJumped()).toBe(true);
    clock.learn(at(NOW + 5000), 100);
    expect(clock.hasJumped()).toBe(false);
    expect(Math.abs(clock.now() - NOW - 5000)).toBeLessThanOrEqual(1000);
  });

  it('is not set by a slow answer', () => {
    clock.learn(at(NOW), 0);
    clock.learn(at(NOW + 9000), 20_000);
    expect(Math.abs(clock.now() - NOW)).toBeLessThanOrEqual(1000);
  });

  it('ignores a delayed answer', () => {
    clock.learn(at(NOW), 0);
    pass(16 * 60_000);
    clock.learn(at(NOW), 0);
    expect(Math.abs(clock.now() - NOW - 16 * 60_000)).toBeLessThanOrEqual(1000);
  });

  it('corrects itself after the visitor sets the clock ahead', () => {
    clock.learn(at(NOW), 0);
    wall += 3_600_000;
    clock.learn(at(NOW + 1000), 0);
    expect(Math.abs(clock.now() - NOW - 1000)).toBeLessThanOrEqual(1000);
  });

  it('continues when the clock goes back', () => {
    clock.learn(at(NOW), 0);
    pass(5000);
    wall -= 3_600_000;
    expect(Math.abs(clock.now() - NOW - 5000)).toBeLessThanOrEqual(1000);
  });

  it('corrects itself after a sleep', () => {
    clock.learn(at(NOW), 0);
    wall += 600_000;
    expect(Math.abs(clock.now() - NOW - 600_000)).toBeLessThanOrEqual(1000);
    clock.learn(at(NOW + 700_000), 0);
    expect(Math.abs(clock.now() - NOW - 700_000)).toBeLessThanOrEqual(1000);
  });
});
