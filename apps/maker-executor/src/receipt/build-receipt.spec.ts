import { receiptSchema } from '@maker/contracts';
import { DEFAULT_PLAN_LIMITS, NO_PURCHASES, PRICE_SCALE } from '@maker/rules';
import { describe, expect, it } from 'vitest';
import { derivedPlan } from '../execution/execution-plan.ts';
import { startExecution } from '../execution/new-execution.ts';
import { buildReceipt } from './build-receipt.ts';

const WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const NOTHING_BESIDE = { transfers: [], transfersInAll: 0, pauses: [], inAll: 0, byOperator: null };

const { execution } = startExecution(
  {
    jobId: 'job_0123456789abcdef0123456789abcdef',
    tokenAddress: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
    walletAddress: WALLET,
    walletIndex: 0,
    depositWei: 1000n,
    returnAddress: null,
    plan: derivedPlan(0n, 0, DEFAULT_PLAN_LIMITS),
    activatedAt: new Date(0),
  },
  WALLET,
  new Date(0),
);

describe('buildReceipt', () => {
  it('can be told whatever a token’s maker does to its price between a quote and an order (threats: who deploys the token)', () => {
    const boughtTokens = 2n ** 128n;
    const receipt = buildReceipt(
      {
        ...execution,
        arrivalPriceX96: PRICE_SCALE,
        purchases: { ...NO_PURCHASES, tradedWei: 100n, quotedTokens: 100n, boughtTokens },
        totals: { ...execution.totals, orderWei: 100n, boughtWei: boughtTokens },
      },
      NOTHING_BESIDE,
    );
    expect(receiptSchema.parse(receipt).quality?.slippageBps).toBe(-Number.MAX_SAFE_INTEGER);
  });
});
