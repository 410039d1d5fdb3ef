import { EXCHANGES } from '@maker/chain/venues';
import type { Address } from 'viem';
import type { ServicePeriod } from '../file/service-claim.ts';
import { type Evidence, timeOf } from './evidence.ts';
import { RULEBOOKS } from './rulebook.ts';

/** This build knows the version of the rules in the receipt. */
export function* rulesKnown({ receipt }: Evidence): Generator<string> {
  const { version } = receipt.rules;
  if (!RULEBOOKS.has(version))
    yield `The receipt names version ${version} of the rules, which this verifier does not know: use a newer one.`;
}

/** The job belongs to the expected service, and its signed period covers the fee. `openReceipt` checks the signatures. */
export function* service(evidence: Evidence): Generator<string> {
  const { receipt, wantedService } = evidence;
  const claim = receipt.service;
  if (wantedService && wantedService !== claim?.identity) {
    yield claim
      ? `The receipt is of the service ${claim.identity}, not of ${wantedService}, which you named.`
      : `No service signed for this receipt, but you named ${wantedService}.`;
  }
  if (!claim) return;
  for (const { transactionHash, to, kind, succeeded } of receipt.transfers) {
    if (kind !== 'fee' || !succeeded) continue;
    const { blockSeconds } = evidence.transaction(transactionHash);
    const periods = periodsAt(evidence, blockSeconds * 1000);
    if (!periods.some(({ treasury }) => treasury === to))
      yield `The fee went to ${to} at ${timeOf(blockSeconds)}, but the service signed no such treasury for that time.`;
    if (!periods.some(({ jobSigner }) => jobSigner === claim.jobSigner))
      yield `The key that signed for this job's wallet was not the service's at ${timeOf(blockSeconds)}, when the fee was paid.`;
  }
}

/** Whether orders may go to an unknown router: the service signed for it, or this build has no exchange of the chain. */
export function mayTradeAt(evidence: Evidence, router: Address | null, atMs: number): boolean {
  if (router === null) return false;
  const { facts, receipt } = evidence;
  if (facts.venues.length === 0 && !EXCHANGES[receipt.chainId]) return true;
  return periodsAt(evidence, atMs).some(({ venues }) => venues.some((venue) => venue.router === router));
}

/** Treasuries of the service, by its periods and the fees in the receipt. */
export function treasuries({ receipt }: Evidence): ReadonlySet<Address> {
  const paid = receipt.transfers.filter(({ kind }) => kind === 'fee').map(({ to }) => to);
  return new Set([...paid, ...(receipt.service?.periods ?? []).map(({ treasury }) => treasury)]);
}

/** Routers of orders that this build does not know, with their numbers of orders. */
export function unknownRouters(evidence: Evidence): ReadonlyMap<Address, number> {
  const routers = new Map<Address, number>();
  for (const order of evidence.receipt.orders) {
    const { to } = evidence.transaction(order.transactionHash);
    if (order.result === 'voided' || to === null || evidence.purchase(order)?.venue) continue;
    routers.set(to, (routers.get(to) ?? 0) + 1);
  }
  return routers;
}

function periodsAt({ receipt }: Evidence, atMs: number): readonly ServicePeriod[] {
  return (receipt.service?.periods ?? []).filter(
    ({ from, to }) => atMs >= Date.parse(from) && (to === null || atMs < Date.parse(to)),
  );
}
