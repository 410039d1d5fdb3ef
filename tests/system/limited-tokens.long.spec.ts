import type { JobPlan } from '@maker/contracts';
import { chainTestClient, ownArtifacts } from '@maker/local-stack';
import { parseHype } from '@maker/rules';
import type { Address } from 'viem';
import { expect, it } from 'vitest';
import { ownStackForFile } from '../support/own-stack-for-file.ts';
import { expectProven } from '../support/proven-receipt.ts';
import { until } from '../support/until.ts';
import { accountOfWallet, tokenBalance } from '../support/wallet-accounts.ts';

const DEPOSIT = '0.25';
const TOKEN_UNITS = 10n ** 18n;
/** Most that a wallet may hold of `LimitsHoldings`. */
const MOST_HELD = 20n * TOKEN_UNITS;
/** Cooldown of `CoolsDown`, by the chain's clock. */
const COOLDOWN_S = 20n;

// A separate stack, whose tokens change. An order every 2 s, so that a cooldown delays some. Refusals end a job before an hour has passed,
// and after a pool that refused an order is used again.
const own = ownStackForFile(400, { 'maker-executor': { MAKER_LIQUIDITY_TIMEOUT_SECONDS: '90' } });

/** Replaces the code of a demo token. */
async function become(token: Address, contract: 'LimitsHoldings' | 'CoolsDown'): Promise<void> {
  const bytecode = (await ownArtifacts())[contract].deployedBytecode;
  await chainTestClient(own.product.stack.chainControlUrl).setCode({ address: token, bytecode });
}

async function planOf(tokenAddress: string, paymentAmount: number): Promise<JobPlan> {
  const { status, body } = await own.product.call<JobPlan>('POST', '/plan', { tokenAddress, paymentAmount });
  expect(status).toBe(200);
  return body;
}

/** Asserts that an ended job accounts for every wei and unit on the chain. */
async function expectSettled(jobId: string, wallet: string, token: Address, fromBlock: bigint) {
  const { product } = own;
  const payer = product.stack.payer.address as Address;
  await expectProven(product, jobId);
  const account = await accountOfWallet(product, wallet as Address, token, fromBlock);
  const { balanceWei, feeWei, tradedWei, gasWei, returnedWei } = account;
  expect(balanceWei).toBe(0n);
  expect(feeWei + tradedWei + gasWei + returnedWei).toBe(parseHype(DEPOSIT));
  expect(feeWei).toBe((parseHype(DEPOSIT) * 30n) / 100n);
  const { receipt } = await product.status(jobId);
  const delivered = await tokenBalance(product, token, payer);
  expect(delivered).toBe(BigInt(receipt?.tokensBought ?? 0));
  expect(await tokenBalance(product, token, wallet as Address)).toBe(0n);
  return { ...account, delivered };
}

it.concurrent('warns of a holding limit, ends early, returns the rest', { timeout: 400_000 }, async () => {
  const { product } = own;
  const token = product.stack.tokens.v2Only as Address;
  await become(token, 'LimitsHoldings');
  expect(await product.validate(token)).toMatchObject({ isValid: true });
  const { warnings, tokenTakesWei = '0' } = await planOf(token, Number(DEPOSIT));
  expect(warnings).toContain('token_limits_holdings');

  const job = await product.createJob(token, Number(DEPOSIT));
  expect(job.plan?.warnings).toContain('token_limits_holdings');
  const { blockNumber } = await product.pay(job.paymentAddress, DEPOSIT);
  await until(
    'the pause',
    () => product.status(job.jobId),
    ({ receipt }) => receipt?.paused?.reason === 'purchase_refused',
    { timeoutMs: 200_000 },
  );
  expect((await product.ended(job.jobId, { timeoutMs: 120_000 })).status).toBe('failed_liquidity');
  expect((await product.status(job.jobId)).failureReason).toMatch(/^the token or its pool refuses purchases/);
  const { delivered, tradedWei, ordersFailed } = await expectSettled(job.jobId, job.paymentAddress, token, blockNumber);
  expect(delivered).toBeLessThanOrEqual(MOST_HELD);
  expect(delivered).toBeGreaterThan((MOST_HELD * 9n) / 10n);
  expect(BigInt(tokenTakesWei)).toBeLessThanOrEqual(tradedWei);
  expect(BigInt(tokenTakesWei)).toBeGreaterThan(tradedWei / 2n);
  // The orders that were under way when the limit was reached.
  expect(ordersFailed).toBeLessThanOrEqual(8);
});

it.concurrent('keeps to a cooldown with few reverts', { timeout: 400_000 }, async () => {
  const { product } = own;
  const token = product.stack.tokens.both as Address;
  await become(token, 'CoolsDown');
  expect(await product.validate(token)).toMatchObject({ isValid: true });
  expect((await planOf(token, Number(DEPOSIT))).warnings).toContain('token_limits_purchases');

  const job = await product.createJob(token, Number(DEPOSIT));
  const { blockNumber } = await product.pay(job.paymentAddress, DEPOSIT);
  const bought = await until(
    'three purchases',
    () => product.orders(job.jobId),
    (orders) => orders.filter(({ status }) => status === 'final').length >= 3,
    { timeoutMs: 250_000 },
  );
  const times = await Promise.all(
    bought
      .flatMap(({ status, blockNumber }) => (status === 'final' && blockNumber ? [BigInt(blockNumber)] : []))
      .map(async (number) => (await product.chain.getBlock({ blockNumber: number })).timestamp),
  );
  for (const [index, time] of times.slice(1).entries())
    expect(time - (times[index] ?? 0n)).toBeGreaterThanOrEqual(COOLDOWN_S);

  const { stopSecret } = job;
  expect((await product.call('POST', `/jobs/${job.jobId}/stop`, { stopSecret })).status).toBeLessThan(300);
  expect((await product.ended(job.jobId, { timeoutMs: 120_000 })).status).toBe('cancelled');
  const { ordersPlaced, ordersFailed } = await expectSettled(job.jobId, job.paymentAddress, token, blockNumber);
  expect(ordersFailed).toBeLessThanOrEqual(ordersPlaced);
});
