import type { CreateJobResponse } from '@maker/contracts';
import { parseHype } from '@maker/rules';
import type { Address } from 'viem';
import { expect } from 'vitest';
import type { ProductClient } from './product-client.ts';
import { expectProven } from './proven-receipt.ts';
import { accountOfWallet, tokenBalance, type WalletAccount } from './wallet-accounts.ts';

/** An ended job, as the chain shows it. */
export interface EndedJob {
  readonly job: CreateJobResponse;
  readonly account: WalletAccount;
  /** Units of the token that the payer received. */
  readonly tokensReceived: bigint;
}

/** A job before its payment. */
export interface UnpaidJob {
  readonly job: CreateJobResponse;
  readonly tokensBefore: bigint;
  /** A block before its payment. */
  readonly sinceBlock: bigint;
}

/**
 * Creates a job and reads the state before its payment. Creates parallel jobs one after another: each validation tests the
 * token on the chain, which takes long on a busy machine. @param returnAddress of the rest
 */
export function beginJob(
  product: ProductClient,
  token: Address,
  amount: string,
  returnAddress?: Address,
): Promise<UnpaidJob> {
  const creation = turn.then(async () => {
    const tokensBefore = await tokenBalance(product, token, product.stack.payer.address as Address);
    const sinceBlock = await product.chain.getBlockNumber();
    return { job: await product.createJob(token, Number(amount), returnAddress), tokensBefore, sinceBlock };
  });
  turn = creation.catch(() => undefined);
  return creation;
}

let turn: Promise<unknown> = Promise.resolve();

/** Waits until a paid job is completed, and verifies its receipt. */
export async function completed(
  product: ProductClient,
  token: Address,
  { job, tokensBefore, sinceBlock }: UnpaidJob,
  timeoutMs: number,
): Promise<EndedJob> {
  const ended = await product.ended(job.jobId, { timeoutMs });
  expect(ended.status).toBe('completed');
  await expectProven(product, job.jobId);
  const account = await accountOfWallet(product, job.paymentAddress as Address, token, sinceBlock);
  const tokensReceived = (await tokenBalance(product, token, product.stack.payer.address as Address)) - tokensBefore;
  return { job, account, tokensReceived };
}

/** Asserts the sums of a completed job, to the wei. Source: design §§ 2, 4 and 5. */
export function expectExactSums(amount: string, { account, tokensReceived }: EndedJob): void {
  const deposit = parseHype(amount);
  expect(account.otherRecipients).toEqual([]);
  expect(account.ordersPlaced).toBeGreaterThan(0);
  expect(account.feeWei).toBe((deposit * 30n) / 100n);
  expect(account.feeWei + account.tradedWei + account.gasWei + account.returnedWei + account.balanceWei).toBe(deposit);
  expect(account.balanceWei).toBe(0n);
  expect(tokensReceived).toBeGreaterThan(0n);
}
