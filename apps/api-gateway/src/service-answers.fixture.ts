import type { JobPaymentResponse, JobPlan, ListedJob, Receipt, ReceiptOrder } from '@maker/contracts';

/** The only job of the fakes. */
export const JOB_ID = `job_${'a'.repeat(32)}`;
/** One of the tokens that the fakes refuse. @param last its last digit */
export const badToken = (last: number) => `0x${'b'.repeat(39)}${last}`;
/** A token that the fakes refuse. */
export const BAD_TOKEN = badToken(0);
/** Whether the fakes refuse a token. */
export const isBad = (token: string) => token.slice(0, -1) === BAD_TOKEN.slice(0, -1);
/** Stop secret of that job. */
export const STOP_SECRET = `stop_${'s'.repeat(32)}`;
/** Token of that job. */
export const TOKEN = `0x${'1'.repeat(40)}`;
/** Time of all events of the fakes. */
export const TIME = '2026-01-01T00:00:00.000Z';

/** The payment of a job that waits for it. */
export function paymentFixture(differences: Partial<JobPaymentResponse> = {}): JobPaymentResponse {
  return {
    jobId: JOB_ID,
    status: 'pending_payment',
    paymentReceived: false,
    paymentAddress: `0x${'2'.repeat(40)}`,
    paymentAmount: 0.5,
    paymentAmountWei: '500000000000000000',
    paymentDeadline: TIME,
    receivedWei: '0',
    lateWei: '0',
    flags: { underpaid: false, overpaid: false, late: false },
    ...differences,
  };
}

/** A job in a list. */
export function listedFixture(jobId: string): ListedJob {
  const { receivedWei: _, lateWei: __, flags: ___, ...payment } = paymentFixture({ jobId });
  return { ...payment, tokenAddress: TOKEN, createdAt: TIME };
}

/** A plan for a deposit. */
export function planFixture(depositWei: string): JobPlan {
  return {
    depositWei,
    feeWei: '1',
    orderBudgetWei: '2',
    reserveWei: '3',
    orders: { count: 625, sizeWei: '400000000000000', merged: 1, intervalMs: 138_240 },
    slotMs: 138_240,
    startsAt: TIME,
    expectedEndAt: TIME,
    tradingEndsAt: TIME,
    latestEndAt: TIME,
    spendableWei: '2',
    purchase: {
      exchange: 'hyperswap-v2',
      seenPriceX96: '79228162514264337593543950336',
      tokens: '2',
      orderImpactBps: 1,
      impactBps: 1,
      priceRiseBps: 1,
    },
    gas: { ordersWei: '1', transfersWei: '1', fromReserveWei: '2', fromBudgetWei: '0' },
    returnedWei: '1',
    limits: { slippageBps: 100, impactCapBps: 50, bandBps: 1000 },
    warnings: [],
    assumes: { gasPriceWei: '100000000', block: { number: 1, at: TIME } },
    token: { symbol: 'BOTH', decimals: 3 },
  };
}

/** Mined orders 1 to `count`. */
export function ordersFixture(count: number): ReceiptOrder[] {
  return Array.from({ length: count }, (_, index) => ({
    number: index + 1,
    status: 'mined',
    transactionHash: `0x${index.toString(16).padStart(64, '0')}`,
    exchange: 'uniswap-v2',
    tradeWei: '300000000000000',
    gasWei: '100000000000000',
    tokensBought: '1000',
    placedAt: TIME,
  }));
}

/** A receipt with a paid fee. */
export function receiptFixture(): Receipt {
  return {
    depositWei: '500000000000000000',
    feeWei: '150000000000000000',
    orderBudgetWei: '250000000000000000',
    plannedOrders: 625,
    estimate: { lower: 500, upper: 833 },
    ordersPlaced: 2,
    ordersFailed: 0,
    tradedWei: '600000000000000',
    gasWei: '200000000000000',
    tokensBought: '2000',
    token: { address: TOKEN, symbol: 'BOTH', decimals: 3 },
    intervalSeconds: 1,
    deliveredTokens: '0',
    returnedWei: '0',
    heldWei: '0',
    transfers: [
      {
        kind: 'fee',
        status: 'mined',
        transactionHash: `0x${'f'.repeat(64)}`,
        to: `0x${'4'.repeat(40)}`,
        amount: '150000000000000000',
        gasWei: '21000',
      },
    ],
  };
}
