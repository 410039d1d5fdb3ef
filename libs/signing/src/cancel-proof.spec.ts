import { type Event, executionCancelCommanded, executionStarted } from '@maker/contracts';
import { describe, expect, it } from 'vitest';
import { agreementFixture, termsFixture } from './agreement.fixture.ts';
import { isCancelProven } from './cancel-proof.ts';
import { stopCommitment } from './stop-proof.ts';

const terms = termsFixture(agreementFixture({ stopSecretHash: stopCommitment('two') }));
const execution = { id: terms.agreement.jobId, terms };

const recorded = (type: string, jobId = execution.id): Event => ({
  ...{ id: 'an event', type, version: 1, occurredAt: new Date().toISOString(), jobId, data: {} },
});

describe('a cancellation (docs/adr/0120)', () => {
  it('is proven by the payer’s secret', () => {
    expect(isCancelProven(execution, { stopProof: 'two' }, undefined)).toBe(true);
    expect(isCancelProven(execution, { stopProof: stopCommitment('two') }, undefined)).toBe(false);
    expect(isCancelProven(execution, { stopProof: 'three' }, undefined)).toBe(false);
  });

  it('is proven by a command of operators to this job', () => {
    const { type } = executionCancelCommanded;
    expect(isCancelProven(execution, {}, recorded(type))).toBe(true);
    expect(isCancelProven(execution, {}, recorded(type, `job_${'b'.repeat(32)}`))).toBe(false);
    expect(isCancelProven(execution, {}, recorded(executionStarted.type))).toBe(false);
  });

  it('is proven by nothing else', () => {
    expect(isCancelProven(execution, {}, undefined)).toBe(false);
    expect(isCancelProven({ id: execution.id }, { stopProof: 'one' }, undefined)).toBe(false);
  });
});
