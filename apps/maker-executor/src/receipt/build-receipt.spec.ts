import { receiptSchema } from '@maker/contracts';
import { NO_PURCHASES, PRICE_SCALE } from '@maker/rules';
import { describe, expect, it } from 'vitest';
import { startedExecution } from '../execution/started-execution.fixture.ts';
import { buildReceipt } from './build-receipt.ts';

const NOTHING_BESIDE = { transfers: [], transfersInAll: 0, pauses: [], inAll: 0, byOperator: null };

const execution = startedExecution();

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
