import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { assertBeforeDeadline, timeLeft, whileWaited } from './time-left.ts';

describe('work for a waiting caller', () => {
  it('does not start after its deadline', async () => {
    await whileWaited('0', async () => {
      await wait(1);
      expect(() => assertBeforeDeadline()).toThrow(expect.objectContaining({ code: 'SERVICE_TIMEOUT' }));
    });
  });

  it('runs before its deadline or without one', () => {
    whileWaited('60000', () => {
      expect(timeLeft()).toBeGreaterThan(50_000);
      expect(() => assertBeforeDeadline()).not.toThrow();
    });
    for (const text of [undefined, '', 'soon']) {
      whileWaited(text, () => {
        expect(timeLeft()).toBeUndefined();
        expect(() => assertBeforeDeadline()).not.toThrow();
      });
    }
  });
});
