import type { CreateJobResponse, JobRefund } from '@maker/contracts';
import { DEFAULT_SWITCHES, SYSTEM_ADDRESS } from '@maker/hyperevm-node';
import { parseHype } from '@maker/rules';
import { type Address, erc20Abi, getAddress } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { payThroughContract } from '../support/forwarder.ts';
import { ownStackForFile } from '../support/own-stack-for-file.ts';
import { until } from '../support/until.ts';

const PACE = { 'payment-watcher': { WATCHER_POLL_INTERVAL_SECONDS: '2' } };
const AMOUNT = parseHype('0.05');
const SOON_MS = 60_000;

const own = ownStackForFile(20, PACE);

const newAddress = () => privateKeyToAddress(generatePrivateKey());
const create = (returnAddress?: string) => own.product.createJob(own.product.stack.tokens.v2Only, 0.25, returnAddress);

/** Sends HYPE from an account on HyperCore to an address on HyperEVM: the chain credits it without a sender. */
async function creditFromHyperCore(address: string): Promise<void> {
  await own.product.control.core.credit(address as Address, AMOUNT);
  await own.product.control.core.send(address as Address, SYSTEM_ADDRESS, AMOUNT);
}

async function received({ jobId }: CreateJobResponse): Promise<void> {
  await until(
    `0.05 HYPE for ${jobId}`,
    () => own.product.payment(jobId),
    ({ receivedWei }) => receivedWei === AMOUNT.toString(),
    { timeoutMs: SOON_MS },
  );
}

async function endOf({ jobId }: CreateJobResponse): Promise<JobRefund | undefined> {
  const { returns = [] } = await until(
    `the end of deposits of ${jobId}`,
    () => own.product.status(jobId),
    ({ returns: seen = [] }) => seen.length === 1 && seen[0]?.status !== 'due',
    { timeoutMs: SOON_MS },
  );
  return returns[0];
}

async function expire({ paymentDeadline }: CreateJobResponse): Promise<void> {
  await own.product.control.request('evm_setNextBlockTimestamp', Math.ceil(Date.parse(paymentDeadline) / 1000) + 5);
  await own.product.control.request('evm_mine');
}

describe('HYPE is seen, attributed and ended by any way (design § 4, docs/adr/0030)', {
  timeout: 240_000,
}, () => {
  it('by transfer, contract and system transaction', async () => {
    const given = newAddress();
    const jobs = {
      plain: await create(),
      contract: await create(),
      leftOut: await create(),
      leftOutGiven: await create(given),
      included: await create(),
    };
    await own.product.pay(jobs.plain.paymentAddress, '0.05');
    await payThroughContract(own.product, jobs.contract.paymentAddress, '0.05');
    await creditFromHyperCore(jobs.leftOut.paymentAddress);
    await creditFromHyperCore(jobs.leftOutGiven.paymentAddress);
    for (const job of [jobs.plain, jobs.contract, jobs.leftOut, jobs.leftOutGiven]) await received(job);
    await own.product.control.setSwitches({ includeSystemTransactions: true });
    await creditFromHyperCore(jobs.included.paymentAddress);
    await received(jobs.included);
    await own.product.control.setSwitches(DEFAULT_SWITCHES);
    await expire(jobs.included);

    expect(await endOf(jobs.plain)).toMatchObject({
      status: 'returned',
      to: getAddress(own.product.stack.payer.address),
    });
    expect(await endOf(jobs.contract)).toMatchObject({ status: 'held', reason: expect.stringMatching(/contract/) });
    for (const job of [jobs.leftOut, jobs.included]) {
      const end = await endOf(job);
      expect(end).toMatchObject({ status: 'held', reason: expect.stringMatching(/system credit/) });
      expect(end?.to).toBeUndefined();
      expect(await own.product.chain.getBalance({ address: job.paymentAddress as Address })).toBe(AMOUNT);
    }
    const returned = await endOf(jobs.leftOutGiven);
    expect(returned).toMatchObject({ status: 'returned', to: given });
    expect(await own.product.chain.getBalance({ address: given })).toBe(BigInt(returned?.returnedWei ?? 0));
  });

  it('on HyperCore: reported at expiry and returned', async () => {
    const job = await create();
    const { jobId, paymentAddress } = job;
    await own.product.control.core.credit(paymentAddress as Address, AMOUNT);
    await expire(job);
    await until(
      'the sentence for the payer',
      () => own.product.payment(jobId),
      ({ status, hyperCoreWei }) => status === 'payment_expired' && hyperCoreWei === AMOUNT.toString(),
      { timeoutMs: SOON_MS },
    );
    const to = newAddress();
    const command = await own.product.hyperCoreReturn(jobId, to, AMOUNT);
    await expect(own.product.command(command, 1)).rejects.toThrow(/second operator/);
    await expect(own.product.command({ ...command, amountWei: '1' })).rejects.toThrow(/another sum/);
    const returned = await own.product.command(command);
    expect(returned).toMatchObject({ outcome: expect.stringMatching(/^0\.05 HYPE went on HyperCore to 0x.*; 0 HYPE/) });
    expect(await own.product.control.core.balanceWei(to)).toBe(AMOUNT);
    expect(await own.product.control.core.balanceWei(paymentAddress as Address)).toBe(0n);
    await until(
      'the end of the sentence',
      () => own.product.payment(jobId),
      ({ hyperCoreWei }) => hyperCoreWei === undefined,
      { timeoutMs: SOON_MS },
    );
  });

  it('as tokens: reported and returned', async () => {
    const job = await create();
    const { jobId, paymentAddress } = job;
    const { whype } = own.product.stack.contracts;
    const wrapped = (owner: string) =>
      own.product.chain.readContract({
        address: whype,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [owner as Address],
      });
    const search = () =>
      own.product.operate('POST', `/jobs/${jobId}/hypercore/check`, { reason: 'asked for by a test' });
    await own.product.wrap(AMOUNT);
    await own.product.sendTokens(whype, paymentAddress, AMOUNT);
    await expire(job);
    await own.product.ended(jobId, { timeoutMs: SOON_MS });
    expect(await search()).toMatchObject({ outcome: expect.stringMatching(/; 0\.05 WETH \(0x.*\) on HyperEVM$/) });
    const { foundTokens } = await until(
      'the sentence for the payer',
      () => own.product.payment(jobId),
      (payment) => payment.foundTokens !== undefined,
      { timeoutMs: SOON_MS },
    );
    expect(foundTokens).toMatchObject([{ tokenAddress: getAddress(whype), amount: AMOUNT.toString(), symbol: 'WETH' }]);
    const to = newAddress();
    const command = await own.product.tokenRelease(jobId, to, [whype], own.product.stack.payer.address);
    await expect(own.product.command(command, 1)).rejects.toThrow(/second operator/);
    await own.product.command(command);
    await own.product.pay(paymentAddress, '0.001');
    await until(
      'the tokens',
      () => wrapped(to),
      (amount) => amount === AMOUNT,
      { timeoutMs: SOON_MS },
    );
    expect(await wrapped(paymentAddress)).toBe(0n);
    await until(
      'the end of the sentence',
      () => own.product.payment(jobId),
      (payment) => payment.foundTokens === undefined,
      { timeoutMs: SOON_MS },
    );
  });
});
