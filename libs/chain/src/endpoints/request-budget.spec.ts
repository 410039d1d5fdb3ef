import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RequestBudget } from './request-budget.ts';
import { RequestWindow } from './request-window.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function budget(requests: number, perMs: number): RequestBudget {
  return new RequestBudget(new RequestWindow({ requests, perMs }), () => Date.now());
}

describe('RequestBudget', () => {
  it('sends a broadcast before earlier reads', async () => {
    const spent = budget(1, 1000);
    spent.answered(await spent.acquire('read', 0));
    const order: string[] = [];
    const wait = async (name: string, lane: 'read' | 'broadcast') => {
      const slot = await spent.acquire(lane, 10_000);
      order.push(name);
      spent.answered(slot);
    };
    const all = Promise.all([wait('first read', 'read'), wait('second read', 'read'), wait('broadcast', 'broadcast')]);
    await vi.advanceTimersByTimeAsync(5000);
    await all;
    expect(order).toEqual(['broadcast', 'first read', 'second read']);
  });

  it('gives up a slow request and passes its place', async () => {
    const spent = budget(1, 1000);
    const slot = await spent.acquire('read', 0);
    const hopeless = expect(spent.acquire('read', 500)).rejects.toMatchObject({ code: 'REQUEST_BUDGET_SPENT' });
    const patient = spent.acquire('read', 5000);
    await vi.advanceTimersByTimeAsync(600);
    await hopeless;
    spent.answered(slot);
    await vi.advanceTimersByTimeAsync(1000);
    await expect(patient).resolves.toBeDefined();
  });

  it('gives up immediately when the turn is too late', async () => {
    const resting = budget(10, 1000);
    resting.rest(60_000);
    await expect(resting.acquire('read', 10_000)).rejects.toMatchObject({ code: 'REQUEST_BUDGET_SPENT' });
  });
});
