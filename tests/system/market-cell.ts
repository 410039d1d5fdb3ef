import type { JobStatusResponse } from '@maker/contracts';
import type { SignedReceipt } from '@maker/receipt';
import { LARGEST_ORDER_WEI, minimumOut, parseHype, priceAbove } from '@maker/rules';
import type { Address } from 'viem';
import { encodeFunctionData, erc20Abi } from 'viem';
import { expect } from 'vitest';
import { deployer, type Market, openMarkets } from '../adversary/markets.ts';
import { beginJob, type UnpaidJob } from '../support/exact-job.ts';
import type { ProductClient } from '../support/product-client.ts';
import { expectProven } from '../support/proven-receipt.ts';
import { until } from '../support/until.ts';
import { accountOfWallet, tokenBalance, type WalletAccount } from '../support/wallet-accounts.ts';
import { PoolTrader } from './pool-trader.ts';
import { VENUE_SHAPES, type VenueShape } from './venue-shapes.ts';

/** Price of each job, HYPE: it makes 47 standard orders. */
export const PAID = '0.17';

/** Time limit of a cell, ms. */
export const CELL_MS = 300_000;

/** The stranger's tokens: a fifth of the pool's. */
const STRANGERS_TOKENS = parseHype('8000');

/** A market of a venue's shape, with a stranger who trades there. */
export interface OpenCell {
  readonly venue: VenueShape;
  readonly token: Address;
  readonly stranger: PoolTrader;
}

/** The same with a job. */
export interface MarketCell extends OpenCell, UnpaidJob {
  readonly product: ProductClient;
}

/** Opens a market of each shape for each event, 40 HYPE deep, with a stranger who can buy and sell there. */
export async function openCells(product: ProductClient, events: number): Promise<readonly OpenCell[]> {
  const owner = deployer(product.stack);
  const venues = Array.from({ length: events }, () => VENUE_SHAPES).flat();
  const shapes = venues.map(({ shape }) => shape);
  const markets = await openMarkets(owner, product.stack, product.chain, shapes);
  const cells = venues.map((venue, index) => {
    const market = markets[index] as Market;
    return { venue, token: market.token, stranger: new PoolTrader(product, market) };
  });
  await owner.sendInBigBlocks(
    cells.map(({ token, stranger }) => ({
      to: token,
      data: encodeFunctionData({
        abi: erc20Abi,
        functionName: 'transfer',
        args: [stranger.address, STRANGERS_TOKENS],
      }),
    })),
  );
  await Promise.all(cells.map(({ stranger }) => stranger.prepare(parseHype('50'))));
  return cells;
}

/** Creates a cell's job. */
export async function beginCell(product: ProductClient, cell: OpenCell): Promise<MarketCell> {
  return { ...cell, ...(await beginJob(product, cell.token, PAID)), product };
}

/** Pays the job, and waits until it trades. */
export async function trade({ product, job }: MarketCell): Promise<void> {
  await product.pay(job.paymentAddress, PAID);
  await until(
    'some orders',
    () => product.orders(job.jobId),
    (orders) => orders.filter(({ status }) => status === 'final').length >= 3,
    { timeoutMs: CELL_MS },
  );
}

/** Waits until a job is paused with a reason. */
export async function paused({ product, job }: MarketCell, reason: string): Promise<void> {
  await until(
    `the pause ${reason}`,
    () => product.status(job.jobId),
    ({ status, receipt }) => status !== 'active' || receipt?.paused?.reason === reason,
    { timeoutMs: CELL_MS, everyMs: 100 },
  );
}

/** End of a cell's job. */
export interface EndedCell {
  readonly status: JobStatusResponse['status'];
  readonly receipt: SignedReceipt;
  readonly account: WalletAccount;
  /** The payer's tokens now. */
  readonly tokens: bigint;
}

/**
 * Waits for the end of a cell's job, and compares it with the chain. The verifier accepts its receipt, which has the same sums as the
 * wallet's transactions. Nothing is left, and no order exceeded its limits. Source: design §§ 2, 4a and 5.
 */
export async function endOf({ product, job, token, sinceBlock }: MarketCell): Promise<EndedCell> {
  const { status } = await product.ended(job.jobId, { timeoutMs: CELL_MS });
  const receipt = await expectProven(product, job.jobId);
  const wallet = job.paymentAddress as Address;
  const account = await accountOfWallet(product, wallet, token, sinceBlock);
  const { feeWei, tradedWei, gasWei, returnedWei, balanceWei } = account;
  expect(account.otherRecipients).toEqual([]);
  expect(feeWei + tradedWei + gasWei + returnedWei + balanceWei).toBe(parseHype(PAID));
  expect(balanceWei).toBe(0n);
  const tokens = await tokenBalance(product, token, product.stack.payer.address as Address);
  expect(await tokenBalance(product, token, wallet)).toBe(0n);
  expect(receipt.sums).toMatchObject({
    feeWei: `${feeWei}`,
    tradedWei: `${tradedWei}`,
    gasWei: `${gasWei}`,
    returnedWei: `${returnedWei}`,
    boughtTokens: `${tokens}`,
    deliveredTokens: `${tokens}`,
    ordersFilled: account.ordersPlaced,
    ordersReverted: account.ordersFailed,
    ordersVoided: account.ordersVoided,
  });
  expectOrdersWithinLimits(receipt);
  return { status, receipt, account, tokens };
}

/** By amounts that were filled, not quoted. */
function expectOrdersWithinLimits({ orders, rules }: SignedReceipt): void {
  const bandX96 = priceAbove(BigInt(rules.seenPriceX96 ?? 0), BigInt(rules.bandBps));
  for (const { number, result, tradeWei, receivedTokens, minimumTokens, quotedTokens, priceX96 } of orders) {
    expect(BigInt(tradeWei), `size of order ${number}`).toBeLessThanOrEqual(LARGEST_ORDER_WEI);
    if (result !== 'filled') continue;
    expect(BigInt(receivedTokens), `tokens of order ${number}`).toBeGreaterThanOrEqual(BigInt(minimumTokens));
    const least = minimumOut(BigInt(quotedTokens), BigInt(rules.slippageBps));
    expect(BigInt(minimumTokens), `slippage of order ${number}`).toBeGreaterThanOrEqual(least);
    const highestX96 = priceAbove(bandX96, BigInt(rules.slippageBps) + 2n);
    expect(BigInt(priceX96 ?? 0), `price of order ${number}`).toBeLessThanOrEqual(highestX96);
  }
}
