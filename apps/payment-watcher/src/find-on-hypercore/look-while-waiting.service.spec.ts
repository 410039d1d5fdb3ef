import { HyperCoreUnavailableError } from '@maker/chain';
import type { Logger } from '@maker/service-kit';
import type { Address } from 'viem';
import { describe, expect, it, vi } from 'vitest';
import type { Watch } from '../watch/watch.ts';
import { LookWhileWaitingService } from './look-while-waiting.service.ts';

const MINUTE_MS = 60_000;
const addressOf = (index: number): Address => `0x${String(index).padStart(40, '0')}`;

/** Jobs that were all created at 0, a clock, and what HyperCore has. */
function stage(jobs = 1) {
  const state = { nowMs: 0, foundWei: 0n, isDown: false };
  const asked: Address[] = [];
  const told: { jobId: string; amountWei: string }[] = [];
  const waiting = Array.from({ length: jobs }, (_, index) => ({ address: addressOf(index), jobId: `job_${index}` }));
  const service = new LookWhileWaitingService(
    { now: () => state.nowMs },
    {
      isConfigured: true,
      look: async (address: Address) => {
        asked.push(address);
        if (state.isDown) throw new HyperCoreUnavailableError('is down');
        return state.foundWei;
      },
    },
    { waiting: async () => waiting.map((one) => ({ ...one, createdAtMs: 0 }) as Watch) },
    async (jobId, seen) => {
      told.push({ jobId, amountWei: seen.amountWei });
    },
    { warn: vi.fn() } as unknown as Logger,
  );
  const pass = async (toMs: number) => {
    for (; state.nowMs <= toMs; state.nowMs += 10_000) await service.afterBlock();
  };
  return { state, asked, told, pass };
}

describe('looks at HyperCore while a job waits', () => {
  it('are made 1, 3, 7 and 14 minutes after its creation', async () => {
    const { state, asked, pass } = stage();
    const madeAt: number[] = [];
    for (let minute = 0; minute <= 16; minute += 0.5) {
      const before = asked.length;
      await pass(minute * MINUTE_MS);
      if (asked.length > before) madeAt.push(Math.floor((state.nowMs - 10_000) / MINUTE_MS));
    }
    expect([madeAt, asked.length]).toEqual([[1, 3, 7, 14], 4]);
  });

  it('tell what they find once', async () => {
    const { state, told, pass } = stage();
    state.foundWei = 5n;
    await pass(16 * MINUTE_MS);
    expect(told).toEqual([{ jobId: 'job_0', amountWei: '5' }]);
  });

  it('are limited, whatever the number of jobs', async () => {
    const { asked, pass } = stage(500);
    await pass(2 * MINUTE_MS);
    expect(asked.length).toBeLessThanOrEqual(7 * 20);
    expect(new Set(asked).size).toBe(asked.length);
  });

  it('are one failed try each ten seconds while HyperCore is down, and are made afterwards', async () => {
    const { state, asked, told, pass } = stage(50);
    Object.assign(state, { isDown: true, foundWei: 5n });
    await pass(MINUTE_MS + 20_000);
    expect(asked.length).toBeLessThanOrEqual(3 * 4);
    state.isDown = false;
    await pass(2 * MINUTE_MS + 20_000);
    expect(told).toHaveLength(50);
  });
});
