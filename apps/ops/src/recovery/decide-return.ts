import { type Address, isAddressEqual } from 'viem';
import type { PlannedWallet } from './recovery-plan.ts';
import type { WalletTrace } from './trace-wallets.ts';

/** Recipient of a wallet's money, or the reason why it is not known. */
export type ReturnDecision = Pick<PlannedWallet, 'returnTo' | 'because'>;

/** Facts for the decision about a wallet's money. Amounts in wei. */
export interface WalletFacts {
  readonly balanceWei: bigint;
  /** Undefined if no blocks were read. */
  readonly trace?: WalletTrace | undefined;
}

/**
 * Decides the recipient of a wallet's money by the rule for a job without a return address: the sender of a plain transfer.
 * A person decides the unclear cases. Source: design § 4 'Return address'.
 * @param isContract whether a sender is a contract @param isOurs whether an address is a wallet below the same account key
 */
export function decideReturn(
  { balanceWei, trace }: WalletFacts,
  isContract: (address: Address) => boolean,
  isOurs: (address: Address) => boolean,
): ReturnDecision {
  const undecided = (because: string): ReturnDecision => ({ returnTo: null, because });
  if (!trace) return undecided('no blocks were read: who paid is not known');
  const senders = sendersOf(trace);
  const [sender] = senders;
  if (unexplainedWei({ balanceWei, trace }) !== 0n)
    return undecided('a part of it came by no plain transfer in these blocks');
  if (!sender) return undecided('no transfer to it is in these blocks');
  if (senders.length > 1) return undecided(`${senders.length} addresses paid it`);
  if (isContract(sender)) return undecided('it was paid by a contract');
  if (isOurs(sender)) return undecided('it was paid by another wallet of this service');
  return { returnTo: sender, because: 'the one address that paid it' };
}

/** Senders of plain transfers to a wallet, each once. */
export function sendersOf({ incoming }: WalletTrace): Address[] {
  return incoming
    .map(({ from }) => from)
    .filter((from, at, all) => all.findIndex((other) => isAddressEqual(other, from)) === at);
}

/** Part of a wallet's balance that its traced transactions do not explain, wei. */
export function unexplainedWei({ balanceWei, trace }: { balanceWei: bigint; trace: WalletTrace }): bigint {
  const received = trace.incoming.reduce((sum, { amountWei }) => sum + amountWei, 0n);
  const sent = [...trace.sent.values()].reduce((sum, amountWei) => sum + amountWei, 0n);
  return balanceWei - (received - sent - trace.gasWei);
}
