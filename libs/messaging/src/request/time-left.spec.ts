import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { assertStillWanted, timeLeft, whileWaited } from './time-left.ts';

describe('work for somebody who waits', () => {
  it('is not begun when they have given up (design § 3)', async () => {
    await whileWaited('0', async () => {
      await wait(1);
      expect(() => assertStillWanted()).toThrow(expect.objectContaining({ code: 'SERVICE_TIMEOUT' }));
    });
  });

  it('goes on while they wait, and where nobody says how long that is', () => {
    whileWaited('60000', () => {
      expect(timeLeft()).toBeGreaterThan(50_000);
      expect(() => assertStillWanted()).not.toThrow();
    });
    for (const text of [undefined, '', 'soon']) {
      whileWaited(text, () => {
        expect(timeLeft()).toBeUndefined();
        expect(() => assertStillWanted()).not.toThrow();
      });
    }
  });
});
