import { createHash, randomUUID } from 'node:crypto';
import type { CreateJobResponse } from '@maker/contracts';
import { stopCommitment, stopProof } from '@maker/signing/commands';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { AGREEMENT_ACCOUNT, agreementFixture, signedAgreement } from '../agreed-answer.fixture.ts';
import { JOB_ID, planFixture, STOP_SECRET, TIME } from '../service-answers.fixture.ts';
import { agreementProblem } from './agreement-problem.ts';

const THIEF = `0x${'b1'.repeat(20)}` as const;
const OTHER_KEY = privateKeyToAccount(`0x${'b8'.repeat(32)}`);
const signers = [AGREEMENT_ACCOUNT.address];

const command = {
  tokenAddress: `0x${'1'.repeat(40)}`,
  paymentAmountWei: '500000000000000000',
  apiKeyName: 'web',
  idempotencyKey: randomUUID(),
} as const;
const job = { jobId: JOB_ID, paymentAddress: `0x${'2'.repeat(40)}`, paymentDeadline: TIME };
const agreement = { ...agreementFixture(command, job), stopSecretHash: stopCommitment(stopProof(STOP_SECRET)) };

async function answer(lie: Partial<CreateJobResponse> = {}): Promise<CreateJobResponse> {
  return {
    ...job,
    paymentAmount: 0.5,
    paymentAmountWei: command.paymentAmountWei,
    plan: planFixture(command.paymentAmountWei),
    stopSecret: STOP_SECRET,
    agreement: await signedAgreement(agreement),
    ...lie,
  };
}

const plan = planFixture(command.paymentAmountWei);

/** Answers of a responder that is not the job service. */
const LIES: readonly (readonly [string, () => Partial<CreateJobResponse> | Promise<Partial<CreateJobResponse>>])[] = [
  ['it has no agreement', () => ({ agreement: undefined })],
  ['not signed', async () => ({ agreement: await signedAgreement(agreement, OTHER_KEY) })],
  [
    'not signed',
    async () => ({ agreement: { ...(await signedAgreement(agreement)), agreement: { ...agreement, wallet: THIEF } } }),
  ],
  ['payment address', () => ({ paymentAddress: THIEF })],
  ['job', () => ({ jobId: `job_${'b'.repeat(32)}` })],
  ['deadline', () => ({ paymentDeadline: '2030-01-01T00:00:00.000Z' })],
  ['answered amount', () => ({ paymentAmountWei: '1' })],
  ['stop secret', () => ({ stopSecret: `stop_${'t'.repeat(32)}` })],
  ['price band', () => ({ plan: { ...plan, limits: { ...plan.limits, bandBps: 9 } } })],
  ['slippage limit', () => ({ plan: { ...plan, limits: { ...plan.limits, slippageBps: 9 } } })],
  ['price', () => ({ plan: { ...plan, purchase: { ...plan.purchase, seenPriceX96: '1' } } })],
  ['latest end', () => ({ plan: { ...plan, latestEndAt: '2030-01-01T00:00:00.000Z' } })],
];

describe('an answer to a creation (docs/adr/0145)', () => {
  it('is shown if the job service signed it', async () => {
    expect(agreementProblem(command, await answer(), signers)).toBeUndefined();
    expect(agreementProblem(command, await answer(), [OTHER_KEY.address, ...signers])).toBeUndefined();
  });

  it.each(LIES)('is refused as forged: %s', async (problem, lie) => {
    expect(agreementProblem(command, await answer(await lie()), signers)).toContain(problem);
  });

  it.each([
    ['request', { idempotencyKey: randomUUID() }],
    ['request', { apiKeyName: 'partner' }],
    ['token', { tokenAddress: THIEF }],
    ['amount', { paymentAmountWei: '1' }],
    ['return address', { returnAddress: THIEF }],
    ['stop secret', { stopSecretHash: createHash('sha256').digest('hex') }],
  ])('is refused for another %s', async (problem, other) => {
    expect(agreementProblem({ ...command, ...other }, await answer(), signers)).toContain(problem);
  });
});
