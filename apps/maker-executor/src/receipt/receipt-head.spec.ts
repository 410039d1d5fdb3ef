import { NO_ORDERS } from '@maker/receipt';
import { DEFAULT_PLAN_LIMITS } from '@maker/rules';
import { expect, it } from 'vitest';
import type { Execution } from '../execution/execution.ts';
import { derivedPlan } from '../execution/execution-plan.ts';
import { startedExecution, WALLET } from '../execution/started-execution.fixture.ts';
import type { Pause } from '../pause/pauses.repository.ts';
import { receiptHead } from './receipt-head.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 8, minute));
const depositWei = 10n ** 18n;
const plan = derivedPlan(depositWei / 2n, at(0).getTime(), DEFAULT_PLAN_LIMITS);
const job = { jobId: 'job_1', tokenAddress: WALLET, walletIndex: 1, depositWei, plan } as const;
const running = startedExecution(job, at(0));
const ended: Execution = { ...running, ending: { kind: 'completed', message: 'the budget is spent' }, endedAt: at(30) };

const pause = (from: number, to: number | null): Pause => ({
  id: `${from}`,
  jobId: 'job_1',
  reason: 'gas_guardrail',
  since: at(from),
  until: to === null ? null : at(to),
});

function told(execution: Execution, pauses: readonly Pause[]) {
  const none = { transfers: [], deposits: [], venues: [], orders: NO_ORDERS, newestOrder: undefined, goesOn: false };
  return receiptHead({ ...none, execution, pauses, chainId: 31337, treasury: WALLET }).pauses.map(({ from, to }) => [
    new Date(from).getUTCMinutes(),
    to && new Date(to).getUTCMinutes(),
  ]);
}

it('tells of every pause, and that one lasts while the job does (design § 2.6)', () => {
  const pauses = Array.from({ length: 300 }, (_, index) => pause(index % 20, (index % 20) + 1));
  expect(told(running, pauses)).toHaveLength(300);
  expect(told(running, [pause(1, 3), pause(5, null)])).toEqual([
    [1, 3],
    [5, null],
  ]);
});

it('cuts pauses at the job’s end, whenever they ended after it (design § 4 End)', () => {
  expect(told(ended, [pause(1, 3), pause(5, null), pause(6, 40)])).toEqual([
    [1, 3],
    [5, 30],
    [6, 30],
  ]);
});

it('has none end before it began: after the end, or where the chain went back in time', () => {
  expect(told(ended, [pause(7, 6), pause(35, null)])).toEqual([
    [7, 7],
    [35, 35],
  ]);
});
