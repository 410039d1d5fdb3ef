import { isFinal, JOB_STATUSES } from '@maker/rules';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Job } from './api-types.ts';
import { MakerError } from './maker-error.ts';
import { isEnded, watchJob } from './watch-job.ts';

const job = (status: Job['status'], more: Partial<Job> = {}) => ({ status, ...more }) as Job;
const busy = new MakerError('OVERLOADED', 'later', { status: 503, retryAfterMs: 30_000 });
const refused = new MakerError('JOB_NOT_FOUND', 'no', { status: 404 });

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** Watches a job whose reads give these answers in turn; the last answer repeats. */
function watch(answers: readonly (Job | Error)[], options: Parameters<typeof watchJob>[1] = {}) {
  const reads: number[] = [];
  const startedAt = Date.now();
  const seen: string[] = [];
  const read = async () => {
    reads.push(Date.now() - startedAt);
    const answer = answers[Math.min(reads.length, answers.length) - 1];
    if (answer instanceof Error) throw answer;
    return answer as Job;
  };
  const done = (async () => {
    for await (const { status } of watchJob(read, options)) seen.push(status);
  })();
  done.catch(() => undefined);
  return { done, seen, reads };
}

it('yields each new state until the end', async () => {
  const pending = job('pending_payment');
  const { done, seen, reads } = watch([pending, pending, job('active'), job('completed')]);
  await vi.runAllTimersAsync();
  await done;
  expect(seen).toEqual(['pending_payment', 'active', 'completed']);
  expect(reads).toEqual([0, 2000, 4000, 6000]);
});

it('waits as Retry-After says, then continues', async () => {
  const { done, seen, reads } = watch([busy, job('completed')]);
  await vi.runAllTimersAsync();
  await done;
  expect(seen).toEqual(['completed']);
  expect(reads).toEqual([0, 30_000]);
});

it('gives up after ten failures, each with a longer pause', async () => {
  const { done, reads } = watch([new MakerError('UNREACHABLE', 'gone', {})]);
  await vi.runAllTimersAsync();
  await expect(done).rejects.toMatchObject({ code: 'UNREACHABLE' });
  expect(reads).toHaveLength(10);
  expect(reads.slice(0, 4)).toEqual([0, 4000, 12_000, 28_000]);
});

it('throws a permanent error immediately', async () => {
  const { done, reads } = watch([refused]);
  await expect(done).rejects.toBe(refused);
  expect(reads).toEqual([0]);
});

it('ends a pause with the reason of the signal', async () => {
  const stop = new AbortController();
  const { done } = watch([job('active')], { signal: stop.signal });
  await vi.advanceTimersByTimeAsync(100);
  stop.abort(new Error('left'));
  await expect(done).rejects.toThrow('left');
  expect(vi.getTimerCount()).toBe(0);
});

it.each(JOB_STATUSES)('knows whether %s is the end', (status) => {
  expect(isEnded({ status })).toBe(isFinal(status));
});
