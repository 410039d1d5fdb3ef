import { pino } from 'pino';
import { expect, it, vi } from 'vitest';
import { PeriodicTask } from './periodic-task.ts';

const silent = pino({ level: 'silent' });
const LONG_MS = 3_600_000;

it('continues after a failure and never overlaps', async () => {
  let running = 0;
  let runs = 0;
  const task = new PeriodicTask('test', 1, silent, async () => {
    running += 1;
    expect(running).toBe(1);
    await Promise.resolve();
    running -= 1;
    runs += 1;
    if (runs === 1) throw new Error('first run');
  });
  task.start();
  await vi.waitFor(() => expect(runs).toBeGreaterThan(3));
  await task.stop();
});

it('reruns when woken and waits at stop', async () => {
  let runs = 0;
  const task = new PeriodicTask('test', LONG_MS, silent, async () => {
    runs += 1;
    if (runs === 1) task.wake();
  });
  task.start();
  await vi.waitFor(() => expect(runs).toBe(2));
  await task.stop();
  task.wake();
  expect(runs).toBe(2);
});

it('pauses for the time that a run returns', async () => {
  let runs = 0;
  const task = new PeriodicTask('test', LONG_MS, silent, async () => {
    runs += 1;
    return runs < 3 ? 1 : LONG_MS;
  });
  task.start();
  await vi.waitFor(() => expect(runs).toBe(3));
  await task.stop();
});
