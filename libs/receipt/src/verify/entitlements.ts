import type { Address } from 'viem';
import type { SignedReceipt, SignedTransfer } from '../file/receipt-file.ts';
import { type Evidence, hype, nameOf } from './evidence.ts';

/** Whose money a deposit is that pays for no order: the job's owner's, or its sender's. */
type Depositor = 'owner' | Address;

/** Refunds that give somebody more than they had sent by then; a sentence each. Gas of a refund comes out of its own deposit. */
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
      ? `${nameOf({ transfer: refund })} went to ${refund.to}, to whom nothing is owed.`
      : `${nameOf({ transfer: refund })} gives ${hype(BigInt(refund.amount))} to ${refund.to}, who had sent ${hype(cameWei)} that pay for no order${beforeWei > 0n ? ` and had ${hype(beforeWei)} of it back` : ''}.`;
  }
}

/** What did not go back to others who had sent it, by sender, wei: their refund's gas aside. */
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

/** What came for somebody up to a block, wei. What has no sender is the owner's. */
function creditOf(evidence: Evidence, depositor: Depositor, blockNumber: number): bigint {
  const others = evidence.receipt.deposits.filter(({ pays, blockNumber: at }) => !pays && (at ?? 0) <= blockNumber);
  const own = others.filter(({ from }) => (from === null ? 'owner' : depositorOf(evidence, from)) === depositor);
  return own.reduce((sum, { amountWei }) => sum + BigInt(amountWei), 0n);
}

function depositorOf({ owners }: Evidence, address: Address): Depositor {
  return owners.includes(address) ? 'owner' : address;
}
