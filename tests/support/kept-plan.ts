import type { DemoToken } from '@maker/local-stack';
import { estimateOrders, parseHype } from '@maker/rules';
import type { Address } from 'viem';
import { expect } from 'vitest';
import { beginJob, completed, expectExactSums } from './exact-job.ts';
import { ownStackForFile } from './own-stack-for-file.ts';
import type { ProductClient } from './product-client.ts';

/** Largest deviation of a calm job's delivery from its plan. */
const TOKENS_OFF = 0.005;

/**
 * A separate product for the jobs of one test file.
 * @param windowSeconds time over which a job's orders are spread. If all orders fill more than half of the blocks, they raise the
 * base fee and merge: that is no calm market. @returns it, once tests run
 */
export function ownCalmProduct(windowSeconds: number): () => ProductClient {
  const own = ownStackForFile(windowSeconds);
  return () => own.product;
}

/** Result of a job in a calm market, beside its plan. */
export interface KeptPlan {
  readonly orders: number;
  readonly plannedOrders: number;
  /** Delivered tokens divided by the plan's, minus one. */
  readonly tokensOff: number;
  readonly seconds: number;
}

/**
 * Runs a job in a calm market, and compares its end with the plan before payment: the wizard's estimate, and the plan's tokens.
 * Source: specification § 5, design § 4a.
 */
export async function expectPlanKept(
  product: ProductClient,
  venue: DemoToken,
  amount: string,
  timeoutMs: number,
): Promise<KeptPlan> {
  const began = Date.now();
  const token = product.stack.tokens[venue] as Address;
  const unpaid = await beginJob(product, token, amount);
  const { plan } = unpaid.job;
  if (!plan) throw new Error('the job has no plan');
  await product.pay(unpaid.job.paymentAddress, amount);
  const ended = await completed(product, token, unpaid, timeoutMs);
  expectExactSums(amount, ended);
  const { ordersPlaced: orders } = ended.account;
  const { lower, upper } = estimateOrders(parseHype(amount));
  expect(orders).toBeGreaterThanOrEqual(lower);
  expect(orders).toBeLessThanOrEqual(upper);
  const tokensOff = Number(ended.tokensReceived) / Number(plan.purchase.tokens) - 1;
  const kept = { orders, plannedOrders: plan.orders.count, tokensOff, seconds: (Date.now() - began) / 1000 };
  console.log(`${plan.token.symbol}, ${amount} HYPE, ${lower}~${upper} estimated: ${JSON.stringify(kept)}`);
  expect(Math.abs(tokensOff), `tokens of ${amount} HYPE`).toBeLessThan(TOKENS_OFF);
  return kept;
}
