import { type Execution, heldBalance, isActivePhase, type LedgerTotals, type Refund } from '@maker/execution-records';
import { agreedAddress, type RecipientTrust, SIGNERS_TO_REDIRECT } from '@maker/signing/agreement';
import { type Address, isAddressEqual } from 'viem';
import { NotPossibleNow } from '../execution/not-possible-now.ts';

/** A release of held money. */
export interface Release {
  readonly to: Address;
  /** Held HYPE, wei; 0 if only tokens are held. */
  readonly amountWei: bigint;
}

/**
 * Decides a release of all HYPE and tokens held for an ended job. They go to the agreed address, or to one that the command
 * names. One operator alone cannot name another address than the agreed one. Source: design § 4 'Amounts', docs/adr/0029.
 * @param refunds every refund of the job
 * @param wanted address of the command; undefined: the agreed address
 * @param signers operators who signed the command @param isOfSeed whether the seed of now has the job's wallet
 * @param tokens sent by mistake, which are released too
 * @throws NotPossibleNow
 */
export function decideRelease(
  execution: Execution,
  refunds: readonly Refund[],
  wanted: Address | undefined,
  signers: number,
  isOfSeed: boolean,
  trust: RecipientTrust,
  tokens: readonly Address[] = [],
): Release {
  if (!isOfSeed) throw new NotPossibleNow('The wallet is not one of this seed: nothing can be sent');
  if (isAtWork(execution, refunds)) throw new NotPossibleNow('The job is still at work; wait for its end or cancel it');
  const amountWei = heldBalance(execution.totals);
  if (holdsNothing(execution) && tokens.length === 0) throw new NotPossibleNow('Nothing is held for this job');
  const agreed = agreedAddress(execution, trust);
  const recorded = typeof agreed === 'string' ? agreed : undefined;
  const to = wanted ?? recorded;
  if (!to) throw new NotPossibleNow('No return address is on record: release to an address instead');
  if (isAddressEqual(to, execution.walletAddress)) throw new NotPossibleNow("That is the job's own wallet");
  const isRedirected = !recorded || !isAddressEqual(to, recorded);
  if (isRedirected && signers < SIGNERS_TO_REDIRECT)
    throw new NotPossibleNow('The address is not the one on record: a second operator has to sign');
  return { to, amountWei };
}

function isAtWork({ phase, refunding }: Execution, refunds: readonly Refund[]): boolean {
  return (
    isActivePhase(phase) || refunding !== null || refunds.some(({ state }) => state === 'due' || state === 'released')
  );
}

/** Whether neither HYPE nor tokens are held. */
export function holdsNothing({ totals }: Pick<Execution, 'totals'>): boolean {
  return heldBalance(totals) === 0n && !holdsTokens(totals);
}

/** Whether the ledger has undelivered tokens. */
export function holdsTokens({ boughtWei, deliveredWei }: LedgerTotals): boolean {
  return boughtWei > deliveredWei;
}
