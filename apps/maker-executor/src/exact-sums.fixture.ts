import { estimateOrders } from '@maker/rules';
import { expect } from 'vitest';
import type { MakerStage, PaidJob } from './maker-stage.fixture.ts';

/** Checks the sums of a completed job against the chain. */
export async function expectExactSums(stage: MakerStage, job: PaidJob): Promise<void> {
  const receipt = await stage.receiptOf(job);
  const { lower, upper } = estimateOrders(job.depositWei);
  expect(receipt.ordersPlaced).toBeGreaterThanOrEqual(lower);
  expect(receipt.ordersPlaced).toBeLessThanOrEqual(upper);

  const sums = [receipt.feeWei, receipt.tradedWei, receipt.gasWei, receipt.returnedWei, receipt.heldWei];
  expect(sums.reduce((sum, wei) => sum + BigInt(wei), 0n)).toBe(BigInt(receipt.depositWei));
  expect(await stage.balance(job.wallet)).toBe(0n);
  expect(await stage.balance(job.payer)).toBe(BigInt(receipt.returnedWei));
  expect(await stage.tokensOf(job, job.payer)).toBe(BigInt(receipt.tokensBought));
  expect(await stage.tokensOf(job, job.wallet)).toBe(0n);

  const [fee] = receipt.transfers;
  expect(receipt.transfers.map(({ kind, status }) => [kind, status])).toEqual([
    ['fee', 'final'],
    ['delivery', 'final'],
    ['return', 'final'],
  ]);
  expect(fee).toMatchObject({ to: stage.treasury, amount: ((job.depositWei * 3n) / 10n).toString() });
  expect((await stage.client.getTransaction({ hash: fee?.transactionHash ?? '0x' })).nonce).toBe(0);
  const used = await stage.client.getTransactionCount({ address: job.wallet });
  expect(used).toBe(receipt.ordersPlaced + receipt.ordersFailed + receipt.transfers.length);
}
