import type { ExecutionProgress, ExecutionRecords } from '@maker/execution-records';
import { startedExecution } from '@maker/execution-records/testing';
import { beforeEach, expect, it } from 'vitest';
import { ReceiptHandler } from './receipt.handler.ts';

const execution = startedExecution();
const { id: jobId } = execution;

let nowMs: number;
let made: number;
let progress: ExecutionProgress | undefined;
let pausedSince: Date | undefined;
let handler: ReceiptHandler;

beforeEach(() => {
  nowMs = 0;
  made = 0;
  pausedSince = undefined;
  progress = { phase: 'trading', revision: 1, ordersSigned: 0, endedAt: null };
  const find = async () => {
    made += 1;
    return { ...execution, ...progress };
  };
  handler = new ReceiptHandler(
    {
      executions: { progress: async () => progress, find },
      transactions: { ofPurposes: async () => [], newest: async () => ({ transactions: [], inAll: 0 }) },
      pauses: { newest: async () => ({ pauses: [], inAll: 0 }) },
      facts: { pauseOf: async () => (pausedSince ? { by: 'anna', since: pausedSince } : null) },
    } as unknown as ExecutionRecords,
    { now: () => nowMs },
  );
});

it('makes a receipt once for all its readers', async () => {
  const answers = await Promise.all([handler.receipt({ jobId }), handler.receipt({ jobId })]);
  expect(answers[0]?.receipt).toBe(answers[1]?.receipt);
  await handler.receipt({ jobId });
  expect(made).toBe(1);
});

it('makes it again after a change or an operator’s pause', async () => {
  await handler.receipt({ jobId });
  progress = { ...execution, phase: 'trading', revision: 2 };
  await handler.receipt({ jobId });
  pausedSince = new Date(0);
  expect((await handler.receipt({ jobId })).receipt?.paused).toMatchObject({ reason: 'operator' });
  expect(made).toBe(3);
});

it('makes an active job’s receipt again after a second', async () => {
  await handler.receipt({ jobId });
  nowMs = 1000;
  await handler.receipt({ jobId });
  expect(made).toBe(2);
});

it('keeps an ended job’s receipt', async () => {
  progress = { ...execution, phase: 'completed', endedAt: new Date(0) };
  await handler.receipt({ jobId });
  nowMs = 86_400_000;
  await handler.receipt({ jobId });
  expect(made).toBe(1);
});

it('answers null for a job without an execution', async () => {
  progress = undefined;
  expect(await handler.receipt({ jobId })).toEqual({ receipt: null });
});
