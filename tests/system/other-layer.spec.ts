import type { CreateJobResponse } from '@maker/contracts';
import { parseHype } from '@maker/rules';
import type { Address } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOwnStack } from '../support/own-stack.ts';
import { ProductClient } from '../support/product-client.ts';
import { until } from '../support/until.ts';

const PACE = { 'payment-watcher': { WATCHER_SWEEP_INTERVAL_SECONDS: '2' } };
const AMOUNT = parseHype('0.05');
const SOON_MS = 60_000;

let ownStack: Awaited<ReturnType<typeof startOwnStack>>;
let product: ProductClient;

beforeAll(async () => {
  ownStack = await startOwnStack(20, PACE);
  product = new ProductClient(ownStack.stack);
}, 200_000);

afterAll(() => ownStack?.stop());

const newAddress = () => privateKeyToAddress(generatePrivateKey());
const create = () => product.createJob(product.stack.tokens.v2Only, 0.25);

async function expire({ paymentDeadline }: CreateJobResponse): Promise<void> {
  await product.control.request('evm_setNextBlockTimestamp', Math.ceil(Date.parse(paymentDeadline) / 1000) + 5);
  await product.control.request('evm_mine');
}

describe('HYPE that came on the other layer ends as returned (docs/adr/0030)', { timeout: 240_000 }, () => {
  it('on HyperCore: told to the payer when the job expires, and sent back there by an operator', async () => {
    const job = await create();
    const { jobId, paymentAddress } = job;
    await product.control.core.credit(paymentAddress as Address, AMOUNT);
    await expire(job);
    await until(
      'the sentence for the payer',
      () => product.payment(jobId),
      ({ status, hyperCoreWei }) => status === 'payment_expired' && hyperCoreWei === AMOUNT.toString(),
      { timeoutMs: SOON_MS },
    );
    const to = newAddress();
    const command = await product.hyperCoreReturn(jobId, to, AMOUNT);
    await expect(product.command(command, 1)).rejects.toThrow(/second operator/);
    await expect(product.command({ ...command, amountWei: '1' })).rejects.toThrow(/another sum/);
    const returned = await product.command(command);
    expect(returned).toMatchObject({ outcome: expect.stringMatching(/^0\.05 HYPE went on HyperCore to 0x.*; 0 HYPE/) });
    expect(await product.control.core.balanceWei(to)).toBe(AMOUNT);
    expect(await product.control.core.balanceWei(paymentAddress as Address)).toBe(0n);
    await until(
      'the end of the sentence',
      () => product.payment(jobId),
      ({ hyperCoreWei }) => hyperCoreWei === undefined,
      { timeoutMs: SOON_MS },
    );
  });
});
