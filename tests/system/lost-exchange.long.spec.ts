import { chainTestClient } from '@maker/local-stack';
import { parseHype } from '@maker/rules';
import { type Address, type Hex, toFunctionSelector } from 'viem';
import { expect, it } from 'vitest';
import { ownStackForFile } from '../support/own-stack-for-file.ts';
import { expectProven } from '../support/proven-receipt.ts';
import { until } from '../support/until.ts';
import { accountOfWallet, tokenBalance } from '../support/wallet-accounts.ts';

const SWAP = toFunctionSelector(
  'swapExactETHForTokensSupportingFeeOnTransferTokens(uint256,address[],address,address,uint256)',
);
const DEPOSIT = '0.25';

// A stack of its own: it loses an exchange.
const own = ownStackForFile(20, { 'maker-executor': { MAKER_LIQUIDITY_TIMEOUT_SECONDS: '5' } });

it('ends a job after its only exchange fails', {
  timeout: 200_000,
}, async () => {
  const token = own.product.stack.tokens.camelotOnly as Address;
  const payer = own.product.stack.payer.address as Address;
  const job = await own.product.createJob(token, Number(DEPOSIT));
  const paid = await own.product.pay(job.paymentAddress, DEPOSIT);
  await until(
    'some orders',
    () => own.product.orders(job.jobId),
    (orders) => orders.some(({ status }) => status === 'final'),
    { timeoutMs: 60_000 },
  );

  const node = chainTestClient(own.product.stack.chainControlUrl);
  const address = own.product.stack.contracts.camelotRouter;
  const code = (await own.product.chain.getCode({ address })) as Hex;
  await node.setCode({ address, bytecode: code.replaceAll(`63${SWAP.slice(2)}`, '63deadbeef') as Hex });

  const ended = await own.product.ended(job.jobId, { timeoutMs: 120_000 });
  expect(ended.status).toBe('failed_liquidity');
  await expectProven(own.product, job.jobId);
  const account = await accountOfWallet(own.product, job.paymentAddress as Address, token, paid.blockNumber);
  expect(account.balanceWei).toBe(0n);
  expect(account.feeWei + account.tradedWei + account.gasWei + account.returnedWei).toBe(parseHype(DEPOSIT));
  expect(account.returnedWei).toBeGreaterThan(0n);
  expect(await tokenBalance(own.product, token, payer)).toBeGreaterThan(0n);
  expect(await tokenBalance(own.product, token, job.paymentAddress as Address)).toBe(0n);
});
