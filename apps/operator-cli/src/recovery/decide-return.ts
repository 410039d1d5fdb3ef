import { type Address, isAddressEqual } from 'viem';
import type { PlannedWallet } from './recovery-plan.ts';
import type { WalletTrace } from './trace-wallets.ts';

/** Where a wallet's money is to go, or why nobody can say. */
export type ReturnDecision = Pick<PlannedWallet, 'returnTo' | 'because'>;

/** What is known of a wallet when its money is planned. Amounts in wei. */
export interface WalletFacts {
  readonly balanceWei: bigint;
  /** Undefined where no blocks were read. */
  readonly trace?: WalletTrace | undefined;
}

/**
 * Whose a wallet's money is, by the rule for a job without a return address: the sender of a plain transfer. Whatever
 * leaves room for doubt is left to a person. Source: design § 4 'Return address'.
 * @param isContract of every sender @param isOurs whether an address is a wallet below the same account key
 */
export function decideReturn(
  { balanceWei, trace }: WalletFacts,
  isContract: (address: Address) => boolean,
  isOurs: (address: Address) => boolean,
): ReturnDecision {
  const nobody = (because: string): ReturnDecision => ({ returnTo: null, because });
  if (!trace) return nobody('no blocks were read: who paid is not known');
  const senders = sendersOf(trace);
  const [sender] = senders;
  if (unexplainedWei({ balanceWei, trace }) !== 0n)
    return nobody('a part of it came by no plain transfer in these blocks');
  if (!sender) return nobody('no transfer to it stands in these blocks');
  if (senders.length > 1) return nobody(`${senders.length} addresses paid it`);
  if (isContract(sender)) return nobody('it was paid by a contract');
  if (isOurs(sender)) return nobody('it was paid by another wallet of this service');
  return { returnTo: sender, because: 'the one address that paid it' };
}

/** Everyone who paid a wallet by a plain transfer, each once. */
export function sendersOf({ incoming }: WalletTrace): Address[] {
  return incoming
    .map(({ from }) => from)
    .filter((from, at, all) => all.findIndex((other) => isAddressEqual(other, from)) === at);
}

/** Wei that a wallet holds and its traced transactions do not account for. */
export function unexplainedWei({ balanceWei, trace }: { balanceWei: bigint; trace: WalletTrace }): bigint {
  const received = trace.incoming.reduce((sum, { amountWei }) => sum + amountWei, 0n);
  const sent = [...trace.sent.values()].reduce((sum, amountWei) => sum + amountWei, 0n);
  return balanceWei - (received - sent - trace.gasWei);
}
