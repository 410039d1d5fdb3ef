import { describe, expect, it, vi } from 'vitest';
import { JobStore, REMEMBERED_JOBS } from './job-store.ts';
import type { OpenJob } from './open-job.ts';

function memoryStorage(): Storage {
  const items = new Map<string, string>();
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
    clear: () => items.clear(),
    key: (index: number) => [...items.keys()][index] ?? null,
    get length() {
      return items.size;
    },
  };
}

function jobNumber(number: number): OpenJob {
  return {
    jobId: `job_${number}`,
    token: { tokenAddress: '0x1', liquidityStatus: { meetsMinimum: true, hasV2: true, hasV3: true } },
    paymentAddress: '0x2',
    paymentAmountWei: '500000000000000000',
    paymentDeadline: '2026-01-01T00:15:00.000Z',
    createdAt: new Date(Date.UTC(2026, 0, 1, 0, number)).toISOString(),
  };
}

describe('job store', () => {
  it('returns to the open job after a load', () => {
    const storage = memoryStorage();
    new JobStore(() => storage).open(jobNumber(1));
    expect(new JobStore(() => storage).openJob()).toEqual(jobNumber(1));
  });

  it('keeps a left job in the list', () => {
    const storage = memoryStorage();
    const store = new JobStore(() => storage);
    store.open(jobNumber(1));
    store.close();
    expect(store.openJob()).toBeUndefined();
    expect(store.recentJobs()).toEqual([jobNumber(1)]);
  });

  it('lists a limited number, newest first, each once', () => {
    const storage = memoryStorage();
    const store = new JobStore(() => storage);
    for (let number = 1; number <= REMEMBERED_JOBS + 2; number += 1) store.open(jobNumber(number));
    store.open(jobNumber(5));
    const ids = store.recentJobs().map((job) => job.jobId);
    expect(ids).toHaveLength(REMEMBERED_JOBS);
    expect(ids[0]).toBe(`job_${REMEMBERED_JOBS + 2}`);
    expect(new Set(ids).size).toBe(REMEMBERED_JOBS);
    expect(store.openJob()?.jobId).toBe('job_5');
  });

  it.each(['not json', '[]', '{"jobs":[{"jobId":1}],"openJobId":"job_1"}', 'null'])(
    'starts empty when the storage holds %s',
    (content) => {
      const storage = memoryStorage();
      storage.setItem('hyperevm-maker.jobs', content);
      const store = new JobStore(() => storage);
      expect(store.openJob()).toBeUndefined();
      expect(store.recentJobs()).toEqual([]);
    },
  );

  it('works without storage and reports the reason', () => {
    const refused = new Error('storage is refused');
    const logged = vi.spyOn(console, 'info').mockReturnValue();
    const store = new JobStore(() => {
      throw refused;
    });
    store.open(jobNumber(1));
    expect(store.openJob()).toBeUndefined();
    expect(logged.mock.calls[0]).toContain(refused);
    logged.mockRestore();
  });
});
