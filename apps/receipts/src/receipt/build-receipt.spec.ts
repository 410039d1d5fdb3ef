import { erc20Abi } from '@maker/chain';
import { receiptSchema } from '@maker/contracts';
import {
  type Execution,
  type Inclusion,
  type Order,
  type Pause,
  qualityOf,
  type TransactionPurpose,
  type TransactionRecord,
} from '@maker/execution-records';
import { startedExecution, WALLET } from '@maker/execution-records/testing';
import { addPurchase, NO_PURCHASES, type OrderExecution, PRICE_SCALE, priceOf, STANDARD_ORDER_WEI } from '@maker/rules';
import { encodeFunctionData } from 'viem';
import { describe, expect, it } from 'vitest';
import { toReceiptOrder } from '../order/receipt-order.ts';
import { buildReceipt } from './build-receipt.ts';

const NO_ROWS = { transfers: [], transfersInAll: 0, pauses: [], inAll: 0, byOperator: null };

const execution = startedExecution();

describe('buildReceipt', () => {
  it('shows the price change between quote and order', () => {
    const boughtTokens = 2n ** 128n;
    const receipt = buildReceipt(
      {
        ...execution,
        arrivalPriceX96: PRICE_SCALE,
        purchases: { ...NO_PURCHASES, tradedWei: 100n, quotedTokens: 100n, boughtTokens },
        totals: { ...execution.totals, orderWei: 100n, boughtWei: boughtTokens },
      },
      NO_ROWS,
    );
    expect(receiptSchema.parse(receipt).quality?.slippageBps).toBe(-Number.MAX_SAFE_INTEGER);
  });
});

const at = (seconds: number) => new Date(seconds * 1000);
const timeOf = (seconds: number) => at(seconds).toISOString();

const inclusion: Inclusion = {
  hash: '0x1',
  blockNumber: 7,
  blockHash: '0xb7',
  blockAt: at(70),
  succeeded: true,
  gasUsed: 3,
  gasWei: 3n,
  movedWei: 40n,
  receivedTokens: 0n,
  sentTokens: 9n,
};

function transaction(purpose: TransactionPurpose, change: Partial<TransactionRecord> = {}): TransactionRecord {
  const fees = { maxFeePerGasWei: 1n, maxPriorityFeePerGasWei: 0n };
  const attempts = [{ hash: '0x1', rawTransaction: '0x02', valueWei: 40n, ...fees }] as const;
  const record = { id: `job/${purpose}/1`, purpose, state: 'broadcast', to: WALLET, attempts, inclusion: null };
  return { ...record, ...change } as TransactionRecord;
}

const pause = (since: number, until: number | null): Pause => ({
  id: `${since}`,
  jobId: execution.id,
  reason: 'gas_guardrail',
  since: at(since),
  until: until === null ? null : at(until),
});

describe('the receipt of the status page (design § 2.6)', () => {
  const bought: OrderExecution = {
    tradeWei: STANDARD_ORDER_WEI,
    tokens: 9_000n,
    quotedTokens: 9_000n,
    poolFeeWei: 3_000n,
    priceBeforeX96: 100n * PRICE_SCALE,
    priceAfterX96: 110n * PRICE_SCALE,
  };
  const purchases = addPurchase(addPurchase(NO_PURCHASES, bought, 0), bought, 1000);
  const trading: Execution = {
    ...execution,
    phase: 'trading',
    nextOrderAtMs: 5000,
    ordersPlaced: 1,
    ordersFailed: 4,
    purchases,
    arrivalPriceX96: 100n * PRICE_SCALE,
    startPools: [{ exchange: 'deep', samples: [{ inWei: 4n * STANDARD_ORDER_WEI, outTokens: 40_000n }] }],
    token: { symbol: 'DEMO', decimals: 6 },
    returnAddress: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
    heldReason: 'the token reverts',
    plan: { ...execution.plan, slotMs: 138_000, seenPriceX96: 77n },
    totals: {
      ...execution.totals,
      depositWei: 1000n,
      surplusWei: 7n,
      feeWei: 300n,
      orderWei: 2n * STANDARD_ORDER_WEI,
      order_gasWei: 11n,
      gasWei: 5n,
      boughtWei: 18_000n,
      deliveredWei: 17n,
      returnedWei: 13n,
      heldWei: 2n,
    },
  };

  it('shows every known figure', () => {
    const receipt = buildReceipt(trading, {
      transfers: [transaction('fee')],
      transfersInAll: 3,
      pauses: [pause(1, 2)],
      inAll: 8,
      byOperator: null,
    });
    const quality = qualityOf(trading);
    if (!quality?.twapX96) throw new Error('a quality with a price over time');
    const { shortfall } = quality;
    expect(receipt).toMatchObject({
      depositWei: '1007',
      tradedWei: `${2n * STANDARD_ORDER_WEI}`,
      gasWei: '16',
      tokensBought: '18000',
      token: { address: trading.tokenAddress, symbol: 'DEMO', decimals: 6 },
      intervalSeconds: 138,
      nextOrderAt: timeOf(5),
      deliveredTokens: '17',
      heldTokens: '17983',
      returnedWei: '13',
      heldReason: 'the token reverts',
      returnAddress: trading.returnAddress,
      transfers: [{ kind: 'fee' }],
      transfersInAll: 3,
      rules: {
        tradingEndsAt: trading.plan.tradingEndsAt.toISOString(),
        latestEndAt: trading.plan.latestEndAt.toISOString(),
        seenPriceX96: '77',
        orderLifeSeconds: 120,
      },
      pauses: [{ reason: 'gas_guardrail', since: timeOf(1), until: timeOf(2) }],
      pausesInAll: 8,
      standardOrders: 2,
      quality: {
        arrivalPriceX96: `${quality.arrivalPriceX96}`,
        averagePriceX96: `${quality.averagePriceX96}`,
        slippageBps: Number(quality.slippageBps),
        priceImpactBps: Number(quality.priceImpactBps),
        shortfall: Object.fromEntries(Object.entries(shortfall).map(([part, wei]) => [part, `${wei}`])),
        shortfallBps: Number(quality.shortfallBps),
        twapX96: `${quality.twapX96}`,
        againstTwapBps: Number(quality.againstTwapBps),
        againstSingleSwapBps: Number(quality.againstSingleSwapBps),
      },
    });
    expect(receipt).not.toHaveProperty('paused');
    expect(receipt).not.toHaveProperty('ending');
  });

  it('leaves out unknown and inapplicable fields', () => {
    const receipt = buildReceipt(execution, NO_ROWS);
    expect(receipt.token).toEqual({ address: execution.tokenAddress, symbol: '', decimals: 18 });
    expect(receipt.rules?.seenPriceX96).toBeNull();
    for (const field of ['nextOrderAt', 'paused', 'heldReason', 'returnAddress', 'quality', 'ending'])
      expect(receipt).not.toHaveProperty(field);
  });

  it('counts merged orders by their standard orders', () => {
    const standard = (ordersPlaced: number) => buildReceipt({ ...trading, ordersPlaced }, NO_ROWS).standardOrders;
    expect([standard(1), standard(5)]).toEqual([2, 5]);
  });

  it('shows the next order only while the job trades', () => {
    const next = (change: Partial<Execution>, byOperator: { since: Date } | null = null) =>
      buildReceipt({ ...trading, ...change }, { ...NO_ROWS, byOperator }).nextOrderAt;
    expect(next({})).toBe(timeOf(5));
    expect(next({ phase: 'delivery' })).toBeUndefined();
    expect(next({ nextOrderAtMs: null })).toBeUndefined();
    expect(next({ paused: { reason: 'gas_guardrail', since: at(3) } })).toBeUndefined();
    expect(next({}, { since: at(4) })).toBeUndefined();
  });

  it('shows a pause with its reason', () => {
    const pausedWith = (change: Partial<Execution>) =>
      buildReceipt({ ...trading, ...change }, { ...NO_ROWS, byOperator: { since: at(4) } }).paused;
    expect(pausedWith({})).toEqual({ reason: 'operator', since: timeOf(4) });
    const paused = { reason: 'gas_guardrail', since: at(3) } as const;
    expect(pausedWith({ paused })).toEqual({ reason: 'gas_guardrail', since: timeOf(3) });
  });

  it('closes an open pause with the job’s end', () => {
    const untils = (change: Partial<Execution>) =>
      buildReceipt({ ...trading, ...change }, { ...NO_ROWS, pauses: [pause(1, 2), pause(3, null)] }).pauses?.map(
        ({ until }) => until,
      );
    expect(untils({})).toEqual([timeOf(2), undefined]);
    expect(untils({ endedAt: at(9) })).toEqual([timeOf(2), timeOf(9)]);
    expect(untils({ endedAt: at(9), paused: { reason: 'gas_guardrail', since: at(3) } })).toEqual([
      timeOf(2),
      undefined,
    ]);
  });

  it('shows how the job ended', () => {
    const ending = { kind: 'completed', message: 'the budget is spent' } as const;
    expect(buildReceipt({ ...trading, ending }, NO_ROWS).ending).toEqual(ending);
  });

  it('shows no fee where the job ended before it', () => {
    const ending = { kind: 'technical', message: 'over before it could begin' } as const;
    const feeOf = (more: Partial<Execution>) => buildReceipt({ ...execution, feeWei: 300n, ...more }, NO_ROWS).feeWei;
    expect(feeOf({})).toBe('300');
    expect(feeOf({ ending })).toBe('0');
    expect(feeOf({ ending, totals: { ...execution.totals, feeWei: 300n } })).toBe('300');
  });

  it('shows what each transfer and delivery moved', () => {
    const shown = (...transfers: TransactionRecord[]) => buildReceipt(trading, { ...NO_ROWS, transfers }).transfers;
    const mined = { state: 'mined', inclusion: { ...inclusion, hash: '0x9' } } as const;
    const failed = { state: 'mined', inclusion: { ...inclusion, succeeded: false } } as const;
    const shared = { to: WALLET, transactionHash: '0x1' };
    const block = { blockNumber: inclusion.blockNumber, minedAt: inclusion.blockAt.toISOString() };
    const recipient = `0x${'d'.repeat(40)}` as const;
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [recipient, 9n] });
    expect(
      shown(
        transaction('fee'),
        transaction('return', mined),
        transaction('delivery', { ...mined, data }),
        transaction('delivery', { data }),
        transaction('return', failed),
        transaction('refund', mined),
      ),
    ).toEqual([
      { ...shared, kind: 'fee', status: 'broadcast', amount: '40', gasWei: '0' },
      { ...shared, ...block, kind: 'return', status: 'mined', transactionHash: '0x9', amount: '40', gasWei: '3' },
      {
        ...shared,
        ...block,
        to: recipient,
        kind: 'delivery',
        status: 'mined',
        transactionHash: '0x9',
        amount: '9',
        gasWei: '3',
      },
      { ...shared, to: recipient, kind: 'delivery', status: 'broadcast', amount: '0', gasWei: '0' },
      { ...shared, ...block, kind: 'return', status: 'failed', amount: '40', gasWei: '3' },
      { ...shared, ...block, kind: 'return', status: 'mined', transactionHash: '0x9', amount: '40', gasWei: '3' },
    ]);
    expect(() => shown(transaction('order'))).toThrow('job/order/1 is an order, not a transfer');
  });
});

describe('an order in the receipt (design § 2.6)', () => {
  const order: Order = {
    id: 'job/order/1',
    jobId: 'job',
    number: 1,
    exchange: 'hyperswap-v2',
    tradeWei: 400n,
    merged: 1,
    quotedTokens: 100n,
    minimumTokens: 99n,
    placedAt: at(60),
    expiresAt: at(180),
  };
  const open = {
    number: 1,
    status: 'broadcast',
    transactionHash: '0x1',
    exchange: 'hyperswap-v2',
    tradeWei: '400',
    gasWei: '0',
    tokensBought: '0',
    quotedTokens: '100',
    minimumTokens: '99',
    merged: 1,
    placedAt: timeOf(60),
  };
  const mined = (change: Partial<Inclusion>) =>
    transaction('order', { state: 'final', inclusion: { ...inclusion, ...change } });

  it('shows the decision while the order is open', () => {
    expect(toReceiptOrder(order, transaction('order'))).toStrictEqual(open);
    expect(toReceiptOrder({ ...order, merged: 4, retryOf: 3 }, transaction('order'))).toStrictEqual({
      ...open,
      merged: 4,
      retryOf: 3,
    });
  });

  it('shows proceeds, cost and pool before and after', () => {
    const trade = { priceBeforeX96: 5n, priceAfterX96: 6n, poolFeeWei: 1n };
    expect(toReceiptOrder(order, mined({ receivedTokens: 100n, trade }))).toStrictEqual({
      ...open,
      status: 'final',
      gasWei: '3',
      tokensBought: '100',
      priceX96: `${priceOf(400n, 100n)}`,
      poolPriceBeforeX96: '5',
      poolPriceAfterX96: '6',
      poolFeeWei: '1',
      blockNumber: 7,
      minedAt: timeOf(70),
    });
    expect(toReceiptOrder(order, mined({}))).toStrictEqual({
      ...open,
      status: 'final',
      gasWei: '3',
      blockNumber: 7,
      minedAt: timeOf(70),
    });
  });

  it('states why an order failed', () => {
    const failed = mined({ succeeded: false });
    const failure = (expiresAt: Date, of = failed) => toReceiptOrder({ ...order, expiresAt }, of);
    expect(failure(order.expiresAt)).toMatchObject({ status: 'failed', failure: 'reverted' });
    expect(failure(at(70)).failure).toBe('reverted');
    expect(failure(at(69)).failure).toBe('expired');
    const [attempt] = failed.attempts;
    if (!attempt) throw new Error('an attempt');
    const attempts = [
      { ...attempt, hash: '0x0' as const },
      { ...attempt, isVoid: true as const },
    ];
    expect(failure(at(69), { ...failed, attempts }).failure).toBe('withdrawn');
    expect(failure(at(69), { ...failed, attempts: attempts.slice(0, 1) }).failure).toBe('expired');
  });
});
