import { routersOf } from '@maker/local-stack';
import { type Address, getAddress, isAddressEqual } from 'viem';
import { expect } from 'vitest';
import { expectProven } from '../support/proven-receipt.ts';
import type { Arena } from './arena.ts';
import { NOBODYS_WEI, type Outcome } from './hostile-case.ts';

/** Gas reserve of every job, wei. Source: design § 4a. */
const RESERVE_WEI = 10n ** 17n;

/** That a third party spends no less than it makes a job spend, and that no job's gas is paid by another. See README.md. */
export function expectCostBorne({ job, costs: { theirsWei, oursWei, byThirdParty } }: Outcome): void {
  if (byThirdParty) expect(oursWei, 'what a third party makes a job spend').toBeLessThanOrEqual(theirsWei);
  expect(BigInt(job?.receipt?.gasWei ?? 0)).toBeLessThanOrEqual(RESERVE_WEI);
}

/**
 * What holds of every job, whoever meant it harm: it ended in time, the receipt adds up to what the chain shows and is accepted by the
 * verifier, and nobody got anything but the payer, the treasury and the pools. Source: design § 4, docs/threats.md.
 */
export async function expectNobodyHarmed(arena: Arena, outcome: Outcome): Promise<void> {
  const { job, shown, recipient, market } = outcome;
  if (!job) return;
  const { receipt } = job;
  const wallet = getAddress(job.paymentAddress);
  if (!receipt) {
    // Nothing came that anybody could have lost.
    expect(await arena.balance(wallet)).toBe(0n);
    return;
  }
  const latestEndMs = receipt.rules ? Date.parse(receipt.rules.latestEndAt) : Number.POSITIVE_INFINITY;
  if (job.status !== 'payment_expired') expect(await arena.chainNowMs()).toBeLessThanOrEqual(latestEndMs);

  if (job.plan && shown)
    expect(job.plan.slotMs, 'what was promised before the payment').toBeLessThanOrEqual(shown.slotMs);

  const paidFee = receipt.transfers.some(({ kind, status }) => kind === 'fee' && status === 'final');
  const out = [receipt.tradedWei, receipt.gasWei, receipt.returnedWei, receipt.heldWei, paidFee ? receipt.feeWei : '0'];
  expect(out.reduce((sum, wei) => sum + BigInt(wei), 0n)).toBe(BigInt(receipt.depositWei));
  expect(await arena.balance(wallet)).toBe(BigInt(receipt.heldWei));
  if (BigInt(receipt.heldWei) > 0n && receipt.heldReason === undefined)
    expect(BigInt(receipt.heldWei), 'what nobody holds is dust').toBeLessThan(NOBODYS_WEI);

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
