import type { ChangeReturnAddressResponse, CreateJobResponse, StartJobResponse } from '@maker/contracts';
import { parseHype } from '@maker/rules';
import { type Address, getAddress } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { ownStackForFile } from '../support/own-stack-for-file.ts';
import { expectProven } from '../support/proven-receipt.ts';
import { until } from '../support/until.ts';
import { tokenBalance } from '../support/wallet-accounts.ts';

const own = ownStackForFile(10, {}, {}, { clock: { blockMs: 125, secondsPerBlock: 1 } });
const RUN_MS = 240_000;

const create = () => own.product.createJob(own.product.stack.tokens.v2Only, 0.3);

/**
 * Asserts by the chain that the treasury got 30 % of a payment, and that the job's wallet is empty.
 * @param arrivedHype the payment and what was refunded besides @returns the receipt
 */
async function expectSpent({ jobId, paymentAddress }: CreateJobResponse, paidHype: string, arrivedHype = paidHype) {
  await own.product.completed(jobId, { timeoutMs: RUN_MS });
  const { receipt } = await own.product.status(jobId);
  const fee = receipt?.transfers.find(({ kind }) => kind === 'fee');
  const { to, value } = await own.product.chain.getTransaction({ hash: fee?.transactionHash as `0x${string}` });
  expect({ to: to && getAddress(to), value }).toEqual({
    to: getAddress(fee?.to ?? ''),
    value: (parseHype(paidHype) * 30n) / 100n,
  });
  expect(receipt).toMatchObject({ depositWei: parseHype(arrivedHype).toString(), heldWei: '0' });
  expect(await own.product.chain.getBalance({ address: paymentAddress as Address })).toBe(0n);
  await expectProven(own.product, jobId);
  return receipt;
}

describe('a payment of less than the amount (docs/adr/0148)', { timeout: RUN_MS }, () => {
  it('starts the job with 99 %, refunds the rest', async () => {
    const job = await create();
    await own.product.pay(job.paymentAddress, '0.297');
    await until(
      'the start',
      () => own.product.payment(job.jobId),
      ({ status }) => status === 'active',
    );
    await own.product.pay(job.paymentAddress, '0.003');
    const [returned] = await until(
      'the refund',
      async () => (await own.product.status(job.jobId)).returns ?? [],
      (returns) => returns[0]?.status === 'returned',
      { timeoutMs: RUN_MS },
    );
    const { to } = await own.product.chain.getTransaction({ hash: returned?.transactionHash as `0x${string}` });
    expect(getAddress(to as string)).toBe(getAddress(own.product.stack.payer.address));
    expect(returned).toMatchObject({ amountWei: parseHype('0.003').toString() });
    await expectSpent(job, '0.297', '0.3');
  });

  it('starts with a part for the address named since', async () => {
    const job = await create();
    const { jobId, stopSecret } = job;
    await own.product.pay(job.paymentAddress, '0.26');
    const paid = await until(
      'the part',
      () => own.product.payment(jobId),
      ({ startableWei }) => startableWei !== undefined,
    );
    expect(paid).toMatchObject({ status: 'pending_payment', startableWei: parseHype('0.26').toString() });
    const returnAddress = privateKeyToAddress(generatePrivateKey());
    const named = { stopSecret, returnAddress };
    await own.product.call<ChangeReturnAddressResponse>('POST', `/jobs/${jobId}/return-address`, named);
    const { body } = await own.product.call<StartJobResponse>('POST', `/jobs/${jobId}/start`, { stopSecret });
    expect(body).toEqual({ status: 'active', amountWei: parseHype('0.26').toString() });
    const receipt = await expectSpent(job, '0.26');
    const tokens = await tokenBalance(own.product, own.product.stack.tokens.v2Only as Address, returnAddress);
    expect(tokens).toBe(BigInt(receipt?.deliveredTokens ?? 0));
    expect(await own.product.chain.getBalance({ address: returnAddress })).toBe(BigInt(receipt?.returnedWei ?? 0));
  });
});
