import {
  EXECUTION_PHASES,
  FACT_KINDS,
  type FactKind,
  isActivePhase,
  TRANSACTION_STATES,
} from '@maker/execution-records';
import { startedExecution } from '@maker/execution-records/testing';
import { expect, it } from 'vitest';
import { transactionOf } from './session.fixture.ts';
import { isAtWork, unconfirmed } from './session.ts';

const factsOf = (...kinds: FactKind[]) => kinds.map((kind) => ({ jobId: 'job', kind, version: '1' }));

it('an execution has work in its active phases', () => {
  expect(EXECUTION_PHASES.filter(isActivePhase)).toEqual(['fee', 'trading', 'delivery', 'return']);
  expect(isAtWork({ execution: startedExecution(), facts: [] })).toBe(true);
});

it('an ended execution has work while facts are unhandled', () => {
  const execution = { ...startedExecution(), phase: 'completed' as const };
  expect(isAtWork({ execution, facts: [] })).toBe(false);
  expect(FACT_KINDS.filter((kind) => isAtWork({ execution, facts: factsOf(kind) }))).toEqual([
    'cancel',
    'settle',
    'recheck',
    'reload',
  ]);
});

it('counts unmined transactions against the mempool', () => {
  const open = TRANSACTION_STATES.map((state) => transactionOf('order', { id: state, state }));
  expect(unconfirmed(open).map(({ id }) => id)).toEqual(['signed', 'broadcast']);
});
