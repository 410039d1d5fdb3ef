import type { JobStatusResponse, Receipt, ReceiptOrder } from '@maker/contracts';
import { parseHype } from '@maker/rules';

const wei = (amount: string) => parseHype(amount).toString();
const START = Date.UTC(2026, 0, 1, 12, 0, 0);

/** An order for a test. */
export function orderNumber(number: number, changes: Partial<ReceiptOrder> = {}): ReceiptOrder {
  return {
    number,
    status: 'final',
    transactionHash: `0x${number.toString(16).padStart(64, '0')}`,
    exchange: 'uniswap-v2',
    tradeWei: wei('0.00038'),
    gasWei: wei('0.00002'),
    tokensBought: '1000000000000000000',
    placedAt: new Date(START + number * 1000).toISOString(),
    minedAt: new Date(START + number * 1000).toISOString(),
    blockNumber: 100 + number,
    ...changes,
  };
}

/** A receipt for a test: 0.5 HYPE, nothing bought yet. */
export function receiptOf(changes: Partial<Receipt> = {}): Receipt {
  return {
    depositWei: wei('0.5'),
    feeWei: wei('0.15'),
    orderBudgetWei: wei('0.25'),
    plannedOrders: 625,
    estimate: { lower: 500, upper: 833 },
    ordersPlaced: 0,
    ordersFailed: 0,
    tradedWei: '0',
    gasWei: '0',
    tokensBought: '0',
    token: { address: `0x${'a'.repeat(40)}`, symbol: 'CAT', decimals: 18 },
    intervalSeconds: 138.24,
    deliveredTokens: '0',
    returnedWei: '0',
    heldWei: wei('0.35'),
    transfers: [],
    ...changes,
  };
}

/** A paid, active job for a test. */
export function activeJob(changes: Partial<JobStatusResponse> = {}): JobStatusResponse {
  return {
    jobId: `job_${'0'.repeat(32)}`,
    status: 'active',
    paymentReceived: true,
    paymentAddress: `0x${'b'.repeat(40)}`,
    paymentAmount: 0.5,
    paymentAmountWei: wei('0.5'),
    paymentDeadline: new Date(START + 900_000).toISOString(),
    receivedWei: wei('0.5'),
    lateWei: '0',
    flags: { underpaid: false, overpaid: false, late: false },
    tokenAddress: `0x${'a'.repeat(40)}`,
    createdAt: new Date(START).toISOString(),
    receipt: receiptOf(),
    ...changes,
  };
}
