import type { Address } from 'viem';
import type { SignedReceipt, SignedTransfer } from '../file/receipt-file.ts';
import { type Evidence, hype, nameOf } from './evidence.ts';

/** The owner of a deposit that pays for no order: the job's owner, or another sender. */
type Depositor = 'owner' | Address;

/** Finds refunds above the recipient's deposits until then, a sentence each. A refund's own deposit pays its gas. */
export function* refundsBroken(evidence: Evidence): Generator<string> {
  const { receipt } = evidence;
  const used = new Map<Depositor, bigint>();
  for (const refund of refundsOf(receipt)) {
    const depositor = depositorOf(evidence, refund.to);
    const cameWei = creditOf(evidence, depositor, refund.blockNumber);
    const beforeWei = used.get(depositor) ?? 0n;
    const takenWei = BigInt(refund.amount) + BigInt(refund.gasWei);
    used.set(depositor, beforeWei + takenWei);
    if (!refund.succeeded || beforeWei + takenWei <= cameWei) continue;
    yield cameWei === 0n
      ? `${nameOf({ transfer: refund })} went to ${refund.to}, which is owed nothing.`
      : `${nameOf({ transfer: refund })} gives ${hype(BigInt(refund.amount))} to ${refund.to}, which had sent only ${hype(cameWei)} for no order${beforeWei > 0n ? ` and already got ${hype(beforeWei)} back` : ''}.`;
  }
}

/** Deposits of other senders that pay for no order and were not refunded, by sender, wei; refunds count with their gas. */
export function owedToOthers(evidence: Evidence): ReadonlyMap<Address, bigint> {
  const { receipt } = evidence;
  const owed = new Map<Address, bigint>();
  const add = (to: Address, wei: bigint) => owed.set(to, (owed.get(to) ?? 0n) + wei);
  for (const { pays, from, amountWei } of receipt.deposits) {
    if (!pays && from !== null && !evidence.owners.includes(from)) add(from, BigInt(amountWei));
  }
  for (const { to, amount, gasWei } of refundsOf(receipt)) add(to, -BigInt(amount) - BigInt(gasWei));
  return new Map([...owed].filter(([, wei]) => wei > 0n));
}

function refundsOf({ transfers }: SignedReceipt): readonly SignedTransfer[] {
  return transfers.filter(({ kind }) => kind === 'refund').sort((one, other) => one.nonce - other.nonce);
}

/** A depositor's money up to a block that pays for no order, wei. Deposits without a sender count as the owner's. */
function creditOf(evidence: Evidence, depositor: Depositor, blockNumber: number): bigint {
  const others = evidence.receipt.deposits.filter(({ pays, blockNumber: at }) => !pays && (at ?? 0) <= blockNumber);
  const own = others.filter(({ from }) => (from === null ? 'owner' : depositorOf(evidence, from)) === depositor);
  return own.reduce((sum, { amountWei }) => sum + BigInt(amountWei), 0n);
}

function depositorOf({ owners }: Evidence, address: Address): Depositor {
  return owners.includes(address) ? 'owner' : address;
}
