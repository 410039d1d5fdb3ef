import type { DemoToken } from '@maker/local-stack';
import { estimateOrders, parseHype } from '@maker/rules';
import type { Address } from 'viem';
import { expect } from 'vitest';
import { beginJob, completed, expectExactSums } from './exact-job.ts';
import { ownStackForFile } from './own-stack-for-file.ts';
import type { ProductClient } from './product-client.ts';

/** Between what a plan expects and what a calm job delivers, at the most. */
const TOKENS_OFF = 0.005;

/**
 * A product of its own for the jobs of one test file.
 * @param windowSeconds time over which a job's orders are spread. Where all orders together fill more than half of the blocks, they
 * raise the base fee themselves, and merge: that is no calm market. @returns it, once tests run
 */
export function ownCalmProduct(windowSeconds: number): () => ProductClient {
  const own = ownStackForFile(windowSeconds);
  return () => own.product;
}

/** How a job of a calm market went, beside what was said of it before its payment. */
export interface KeptPlan {
  readonly orders: number;
  readonly plannedOrders: number;
  /** Tokens delivered, over those that the plan expects, less one. */
  readonly tokensOff: number;
  readonly seconds: number;
}

/**
 * Runs a job in a calm market, and holds its end against what was shown before payment: the estimate of the wizard, and the
 * tokens of the plan. Source: specification § 5, design § 4a.
 */
export async function expectPlanKept(
  product: ProductClient,
  venue: DemoToken,
  amount: string,
  timeoutMs: number,
): Promise<KeptPlan> {
  const began = Date.now();
  const token = product.stack.tokens[venue] as Address;
  const begun = await beginJob(product, token, amount);
  const { plan } = begun.job;
  if (!plan) throw new Error('the job has no plan');
  await product.pay(begun.job.paymentAddress, amount);
  const ended = await completed(product, token, begun, timeoutMs);
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
