import { expect, it } from 'vitest';
import { ALL_JOBS } from '../fact/fact.ts';
import { EMPTY_TOTALS } from '../ledger/ledger-entry.ts';
import type { Execution } from './execution.ts';
import { gaugesOf } from './execution-gauges.ts';

const CHAIN_TIME_MS = 1_000_000;

function execution(differences: Partial<Execution>): Execution {
  return {
    id: 'job',
    phase: 'trading',
    paused: null,
    driftWei: 0n,
    nextOrderAtMs: CHAIN_TIME_MS,
    createdAt: new Date(CHAIN_TIME_MS - 60_000),
    totals: EMPTY_TOTALS,
    ...differences,
  } as Execution;
}

it('shows the most delayed execution by phase', () => {
  const { overdueMs } = gaugesOf(
    [
      execution({ nextOrderAtMs: CHAIN_TIME_MS - 5000 }),
      execution({ nextOrderAtMs: CHAIN_TIME_MS - 9000 }),
      execution({ nextOrderAtMs: CHAIN_TIME_MS + 9000 }),
      execution({ phase: 'fee', nextOrderAtMs: null }),
    ],
    CHAIN_TIME_MS,
  );
  expect(Object.fromEntries(overdueMs)).toEqual({ trading: 9000, fee: 60_000 });
});

it('counts a paused execution as paused, not late', () => {
  const paused = { reason: 'gas_guardrail' as const, since: new Date(CHAIN_TIME_MS - 3000) };
  const gauges = gaugesOf([execution({ paused, nextOrderAtMs: 0 })], CHAIN_TIME_MS);
  expect(gauges.overdueMs.size).toBe(0);
  expect(Object.fromEntries(gauges.longestPauseMs)).toEqual({ gas_guardrail: 3000 });
});

it('counts operator stops as waiting', () => {
  const pause = { by: 'operator', since: new Date(CHAIN_TIME_MS - 7000) };
  for (const stopped of ['job', ALL_JOBS]) {
    const pauses = new Map([[stopped, pause]]);
    const gauges = gaugesOf([execution({ nextOrderAtMs: 0 })], CHAIN_TIME_MS, pauses);
    expect(gauges.overdueMs.size).toBe(0);
    expect(Object.fromEntries(gauges.longestPauseMs)).toEqual({ operator: 7000 });
    expect(Object.fromEntries(gauges.paused)).toEqual({ operator: 1 });
  }
});

it('ignores an operator’s pause of another job', () => {
  const pauses = new Map([['another', { by: 'operator', since: new Date(CHAIN_TIME_MS - 7000) }]]);
  const gauges = gaugesOf([execution({ nextOrderAtMs: CHAIN_TIME_MS - 5000 })], CHAIN_TIME_MS, pauses);
  expect(gauges.paused.size).toBe(0);
  expect(Object.fromEntries(gauges.overdueMs)).toEqual({ trading: 5000 });
});

it('counts stopped wallets and sums the ledger', () => {
  const totals = { ...EMPTY_TOTALS, depositWei: 10n, feeWei: 3n };
  const gauges = gaugesOf([execution({ totals, driftWei: -1n }), execution({ totals })], CHAIN_TIME_MS);
  expect(gauges).toMatchObject({ drifting: 1, balanceWei: 14n });
});
