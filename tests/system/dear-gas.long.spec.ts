import type { JobPlan } from '@maker/contracts';
import { estimateOrders, parseHype } from '@maker/rules';
import type { Address } from 'viem';
import { describe, expect, it } from 'vitest';
import { beginJob, completed, expectExactSums } from '../support/exact-job.ts';
import { ownStackForFile } from '../support/own-stack-for-file.ts';
import { until } from '../support/until.ts';
import { atGasPrice } from './gas-price.ts';

const PAID = '0.25';
const JOB_MS = 180_000;
const TENTH_OF_GWEI = 100_000_000n;
/** Largest deviation of the number of orders from the plan. */
const ORDERS_OFF = 0.05;

// A separate stack, for its gas price.
const own = ownStackForFile(20);

const { lower, upper } = estimateOrders(parseHype(PAID));

describe('0.25 HYPE trades at every gas price (specification § 9, design § 4a)', () => {
  it.each([1n, 10n, 30n, 60n, 99n])(
    'completes at %d tenths of a gwei as planned',
    { timeout: JOB_MS },
    async (tenths) => {
      const token = own.product.stack.tokens.both as Address;
      await atGasPrice(own.product, tenths * TENTH_OF_GWEI, async () => {
        // Plans use chain data that is some seconds old.
        await until(
          'a plan of this gas price',
          () => own.product.call<JobPlan>('POST', '/plan', { tokenAddress: token, paymentAmount: Number(PAID) }),
          ({ body }) => BigInt(body.assumes.gasPriceWei) === tenths * TENTH_OF_GWEI,
          { everyMs: 1000 },
        );
        const unpaid = await beginJob(own.product, token, PAID);
        await own.product.pay(unpaid.job.paymentAddress, PAID);
        const ended = await completed(own.product, token, unpaid, JOB_MS);
        expectExactSums(PAID, ended);
        const { ordersPlaced } = ended.account;
        const planned = unpaid.job.plan?.orders.count ?? 0;
        console.log(
          `${Number(tenths) / 10} gwei: ${ordersPlaced} orders, ${planned} planned, ${lower}~${upper} estimated`,
        );
        expect(Math.abs(ordersPlaced / planned - 1)).toBeLessThanOrEqual(ORDERS_OFF);
        if (tenths > 10n) return;
        expect(ordersPlaced).toBeGreaterThanOrEqual(lower);
        expect(ordersPlaced).toBeLessThanOrEqual(upper);
      });
    },
  );

  it('waits at 10.1 gwei and trades below', { timeout: JOB_MS }, async () => {
    const token = own.product.stack.tokens.both as Address;
    const { unpaid, waiting } = await atGasPrice(own.product, 101n * TENTH_OF_GWEI, async () => {
      const unpaid = await beginJob(own.product, token, PAID);
      await own.product.pay(unpaid.job.paymentAddress, PAID);
      const waiting = await until(
        'the pause',
        () => own.product.status(unpaid.job.jobId),
        ({ receipt }) => receipt?.paused?.reason === 'gas_guardrail',
      );
      return { unpaid, waiting };
    });
    expect(waiting).toMatchObject({ status: 'active', receipt: { ordersPlaced: 0 } });
    expectExactSums(PAID, await completed(own.product, token, unpaid, JOB_MS));
  });
});
