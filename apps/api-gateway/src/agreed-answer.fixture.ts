import { hash } from 'node:crypto';
import type { Agreement, CreateJobResponse, createJob } from '@maker/contracts';
import { agreementClaim, agreementTypedData } from '@maker/signing/agreement';
import { privateKeyToAccount } from 'viem/accounts';
import type { z } from 'zod';
import { TIME } from './service-answers.fixture.ts';

/** The account that signs agreements of the fakes. */
export const AGREEMENT_ACCOUNT = privateKeyToAccount(`0x${'a7'.repeat(32)}`);

/** The agreement of an answer to a request. */
export function agreementFixture(
  command: z.input<typeof createJob.request>,
  { jobId, paymentAddress, paymentDeadline }: Pick<CreateJobResponse, 'jobId' | 'paymentAddress' | 'paymentDeadline'>,
): Agreement {
  const { apiKeyName, idempotencyKey = '', returnAddress = null, paymentAmountWei, tokenAddress } = command;
  return {
    jobId,
    chainId: 31337,
    wallet: paymentAddress.toLowerCase() as `0x${string}`,
    tokenAddress: tokenAddress.toLowerCase() as `0x${string}`,
    amountWei: paymentAmountWei,
    leastWei: paymentAmountWei,
    deadline: paymentDeadline,
    returnAddress: returnAddress as `0x${string}` | null,
    seenPriceX96: '79228162514264337593543950336',
    bandBps: 1000,
    slippageBps: 100,
    impactCapBps: 50,
    latestEndAt: TIME,
    stopSecretHash: command.stopSecretHash ?? 'ab'.repeat(32),
    claim: agreementClaim(apiKeyName, hash('sha256', idempotencyKey)),
    createdAt: TIME,
  };
}

/** Signs an agreement as the job service does. */
export async function signedAgreement(agreement: Agreement, account = AGREEMENT_ACCOUNT) {
  return { agreement, signature: await account.signTypedData(agreementTypedData(agreement)) };
}
