import { EXCHANGES } from '@maker/chain/venues';
import type { ServicePeriod } from '@maker/contracts';
import type { Address } from 'viem';
import { lower } from '../file/lower.ts';
import { type Evidence, type NamedService, timeOf } from './evidence.ts';
import { RULEBOOKS } from './rulebook.ts';

/** This build knows the version of the rules in the receipt. */
export function* rulesKnown({ receipt }: Evidence): Generator<string> {
  const { version } = receipt.rules;
  if (!RULEBOOKS.has(version))
    yield `The receipt names version ${version} of the rules, which this verifier does not know: use a newer one.`;
}

/** The service that the reader named agreed to the job and received the fee. `AgreedTerms` checks the signatures. */
export function* service(evidence: Evidence): Generator<string> {
  const { receipt, namedService, agreed } = evidence;
  if (!namedService) return;
  const { host, chainId } = namedService;
  if (chainId !== receipt.chainId)
    yield `${host} serves chain ${chainId}, but the receipt is of chain ${receipt.chainId}.`;
  if (!receipt.agreement) yield `The receipt has no agreement, but you named ${host}.`;
  const fees = receipt.transfers.filter(({ kind, succeeded }) => kind === 'fee' && succeeded);
  const times = fees.map(({ transactionHash }) => evidence.transaction(transactionHash).blockSeconds * 1000);
  for (const [index, { to }] of fees.entries()) {
    const atMs = times[index] ?? 0;
    if (!periodsAt(namedService, atMs).some(({ treasury }) => treasury === to))
      yield `The fee went to ${to} at ${timeOf(atMs / 1000)}, but ${host} names no such treasury for that time.`;
  }
  // A block's time, which the holder of an old key cannot choose; before the fee only the agreement has a time.
  const agreedAtMs = times[0] ?? Date.parse(receipt.agreement?.agreement.createdAt ?? '');
  const keys = periodsAt(namedService, agreedAtMs).flatMap(({ agreementSigners }) => agreementSigners);
  for (const signer of agreed.signers) {
    if (!keys.includes(lower(signer)))
      yield `${signer} signed the agreement, but ${host} names no such key for ${timeOf(agreedAtMs / 1000)}.`;
  }
}

/** Whether orders may go to an unknown router: this build has no exchange of the chain. */
export function mayTradeAt({ facts, receipt }: Evidence, router: Address | null): boolean {
  return router !== null && facts.venues.length === 0 && !EXCHANGES[receipt.chainId];
}

/** Treasuries of the service, by its periods and the fees in the receipt. */
export function treasuries({ receipt, namedService }: Evidence): ReadonlySet<Address> {
  const paid = receipt.transfers.filter(({ kind }) => kind === 'fee').map(({ to }) => to);
  return new Set([...paid, ...(namedService?.periods ?? []).map(({ treasury }) => treasury)]);
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

function periodsAt({ periods }: NamedService, atMs: number): readonly ServicePeriod[] {
  return periods.filter(
    ({ from, to }) => (from === null || atMs >= Date.parse(from)) && (to === null || atMs < Date.parse(to)),
  );
}
