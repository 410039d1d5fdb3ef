import { routersOf } from '@maker/local-stack';
import { type Address, getAddress, isAddressEqual } from 'viem';
import { expect } from 'vitest';
import { expectProven } from '../support/proven-receipt.ts';
import type { Arena } from './arena.ts';
import { type Outcome, UNEXPLAINED_WEI } from './hostile-case.ts';

/** Gas reserve of every job, wei. Source: design § 4a. */
const RESERVE_WEI = 10n ** 17n;

/** Asserts that a third party spends at least as much as it makes a job spend, and that each job pays its own gas. See README.md. */
export function expectCostBorne({ job, costs: { theirsWei, oursWei, byThirdParty } }: Outcome): void {
  if (byThirdParty) expect(oursWei, 'cost of the attack by a third party').toBeLessThanOrEqual(theirsWei);
  expect(BigInt(job?.receipt?.gasWei ?? 0)).toBeLessThanOrEqual(RESERVE_WEI);
}

/**
 * Asserts the invariants of every attacked job: it ended in time, the verifier accepts its receipt, which matches the chain, and
 * only the payer, the treasury and the pools got money. Source: design § 4, docs/threats.md.
 */
export async function expectNoHarm(arena: Arena, outcome: Outcome): Promise<void> {
  const { job, shown, recipient, market } = outcome;
  if (!job) return;
  const { receipt } = job;
  const wallet = getAddress(job.paymentAddress);
  if (!receipt) {
    // No money came.
    expect(await arena.balance(wallet)).toBe(0n);
    return;
  }
  const latestEndMs = receipt.rules ? Date.parse(receipt.rules.latestEndAt) : Number.POSITIVE_INFINITY;
  if (job.status !== 'payment_expired') expect(await arena.chainNowMs()).toBeLessThanOrEqual(latestEndMs);

  if (job.plan && shown)
    expect(job.plan.slotMs, 'the pace that was shown before the payment').toBeLessThanOrEqual(shown.slotMs);

  const paidFee = receipt.transfers.some(({ kind, status }) => kind === 'fee' && status === 'final');
  const out = [receipt.tradedWei, receipt.gasWei, receipt.returnedWei, receipt.heldWei, paidFee ? receipt.feeWei : '0'];
  expect(out.reduce((sum, wei) => sum + BigInt(wei), 0n)).toBe(BigInt(receipt.depositWei));
  expect(await arena.balance(wallet)).toBe(BigInt(receipt.heldWei));
  if (BigInt(receipt.heldWei) > 0n && receipt.heldReason === undefined)
    expect(BigInt(receipt.heldWei), 'unexplained rest').toBeLessThan(UNEXPLAINED_WEI);

  const { treasury, contracts } = arena.stack;
  const senders = (job.returns ?? []).flatMap(({ to }) => (to ? [getAddress(to)] : []));
  const allowed = [getAddress(treasury), market.token, recipient, ...senders, ...routersOf(contracts)];
  for (const hash of await sentBy(arena, job.jobId, receipt)) {
    const { to } = await arena.product.chain.getTransaction({ hash });
    expect(
      allowed.some((one) => isAddressEqual(one, to as Address)),
      `${to} got something`,
    ).toBe(true);
  }
  if (job.status !== 'payment_expired') await expectProven(arena.product, job.jobId);
}

async function sentBy(
  { product }: Arena,
  jobId: string,
  { transfers }: NonNullable<NonNullable<Outcome['job']>['receipt']>,
) {
  const mined = (status: string) => status === 'final' || status === 'mined' || status === 'failed';
  const orders = await product.orders(jobId);
  return [...orders, ...transfers].flatMap(({ status, transactionHash }) => (mined(status) ? [transactionHash] : []));
}
