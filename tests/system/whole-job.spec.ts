import { estimateOrders, parseHype } from '@maker/rules';
import type { Address } from 'viem';
import { beforeAll, describe, expect, it } from 'vitest';
import { ProductClient, readStack } from '../support/product-client.ts';
import { until } from '../support/until.ts';
import { accountOfWallet, tokenBalance } from '../support/wallet-accounts.ts';

const JOB_TIMEOUT_MS = 280_000;
const ALMOST_NOTHING = parseHype('0.001');

let product: ProductClient;

beforeAll(() => {
  product = new ProductClient(readStack());
});

/** Runs a job from its creation to its end, and holds its accounts against the chain. */
async function runJob(token: Address, amount: string) {
  const { payer } = product.stack;
  const tokensBefore = await tokenBalance(product, token, payer.address as Address);
  const job = await product.createJob(token, Number(amount));
  expect(await product.payment(job.jobId)).toMatchObject({ status: 'pending_payment', paymentReceived: false });

  const paid = await product.pay(job.paymentAddress, amount);
  const seen = await until(
    'the payment',
    async () => ({ payment: await product.payment(job.jobId), head: await product.chain.getBlockNumber() }),
    ({ payment }) => payment.paymentReceived,
    { everyMs: 50 },
  );
  expect(seen.payment.status).toBe('active');

  const ended = await until(
    'the end of the job',
    () => product.payment(job.jobId),
    ({ status }) => status !== 'active',
    {
      timeoutMs: JOB_TIMEOUT_MS,
    },
  );
  expect(ended.status).toBe('completed');
  const account = await accountOfWallet(product, job.paymentAddress as Address, token, paid.blockNumber);
  const tokensReceived = (await tokenBalance(product, token, payer.address as Address)) - tokensBefore;
  return { job, account, tokensReceived, blocksToSee: seen.head - paid.blockNumber };
}

/** The sums that hold for every completed job (design §§ 2, 4 and 5). */
function expectExactAccounts(amount: string, { account, tokensReceived }: Awaited<ReturnType<typeof runJob>>) {
  const deposit = parseHype(amount);
  const { lower, upper } = estimateOrders(deposit);
  expect(account.ordersPlaced).toBeGreaterThanOrEqual(lower);
  expect(account.ordersPlaced).toBeLessThanOrEqual(upper);
  expect(account.otherRecipients).toEqual([]);
  expect(account.feeWei).toBe((deposit * 30n) / 100n);
  for (const trade of account.orderTrades) {
    expect(trade).toBeGreaterThanOrEqual(parseHype('0.0003'));
    expect(trade).toBeLessThanOrEqual(parseHype('0.0005'));
  }
  expect(account.balanceWei).toBeLessThan(ALMOST_NOTHING);
  expect(account.feeWei + account.tradedWei + account.gasWei + account.returnedWei + account.balanceWei).toBe(deposit);
  expect(account.balanceWei).toBe(0n);
  expect(tokensReceived).toBeGreaterThan(0n);
}

// At once, since each waits for the chain and not for the machine.
describe.concurrent('a whole job (specification § 1, design § 4)', () => {
  it('of 0.5 HYPE on a token with V2 and V3 pools', { timeout: JOB_TIMEOUT_MS }, async () => {
    const result = await runJob(product.stack.tokens.both as Address, '0.5');
    expectExactAccounts('0.5', result);
    expect(result.blocksToSee).toBeLessThanOrEqual(3n);

    const { receipt, ...status } = await product.status(result.job.jobId);
    expect(status).toMatchObject({ status: 'completed', receivedWei: parseHype('0.5').toString() });
    expect(receipt).toMatchObject({
      ordersPlaced: result.account.ordersPlaced,
      tradedWei: result.account.tradedWei.toString(),
      gasWei: result.account.gasWei.toString(),
      feeWei: result.account.feeWei.toString(),
      returnedWei: result.account.returnedWei.toString(),
      deliveredTokens: result.tokensReceived.toString(),
      heldWei: '0',
    });
    const orders = await product.orders(result.job.jobId);
    expect(orders.filter(({ status }) => status === 'final' || status === 'mined')).toHaveLength(
      result.account.ordersPlaced,
    );
  });

  it('one on each shape of exchange at once, each with its own wallet (design § 7)', {
    timeout: JOB_TIMEOUT_MS,
  }, async () => {
    const { tokens } = product.stack;
    const results = await Promise.all(
      (['v2Only', 'camelotOnly', 'v3Only', 'router02Only'] as const).map((name) =>
        runJob(tokens[name] as Address, '0.25'),
      ),
    );
    for (const result of results) expectExactAccounts('0.25', result);
    expect(new Set(results.map(({ job }) => job.paymentAddress)).size).toBe(results.length);
  });

  it('is counted while it runs, and is the latest job (specification § 3)', {
    timeout: JOB_TIMEOUT_MS,
  }, async () => {
    const known = new Set(Object.values(product.stack.tokens).map((token) => token.toLowerCase()));
    const counted = await until(
      'an active job',
      () => product.stats(),
      ({ jobs }) => jobs.active > 0,
    );
    expect(known).toContain(counted.latestJob?.tokenAddress.toLowerCase());
  });
});
