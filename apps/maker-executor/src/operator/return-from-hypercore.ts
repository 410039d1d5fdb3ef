import type { SignedText } from '@maker/contracts';
import type { WriteOutcome } from '@maker/execution-records';
import { agreedAddress, SIGNERS_TO_REDIRECT } from '@maker/signing/agreement';
import { getAddress, isAddressEqual } from 'viem';
import { NotPossibleNow } from '../execution/not-possible-now.ts';
import type { TickSources } from '../runner/tick-sources.ts';
import type { HyperCoreSender } from './hypercore-sender.ts';

/** A command about HYPE on HyperCore. */
export type HyperCoreCommand = Extract<SignedText, { action: 'return_hypercore' }>;

/**
 * Returns HYPE that was sent to a job's address on HyperCore, by an operator's command. Source: docs/adr/0029, docs/adr/0030.
 * @param signers operators who signed it @param write writes the outcome in the transaction that stores the transfer
 * @returns the result, in a sentence @throws NotPossibleNow nothing was signed @throws RequestFailure it was posted
 */
export async function returnFromHyperCore(
  { jobId, walletIndex, amountWei, ...command }: HyperCoreCommand,
  signers: number,
  write: WriteOutcome,
  { database: { executions }, rules: { trust } }: TickSources,
  sender: HyperCoreSender,
): Promise<string> {
  const walletAddress = getAddress(command.walletAddress);
  const to = getAddress(command.to);
  const execution = await executions.find(jobId);
  if (execution && !isAddressEqual(execution.walletAddress, walletAddress))
    throw new NotPossibleNow("That is not the job's wallet");
  // Only signed terms count: a user of the database could name any address.
  const agreed = execution && agreedAddress(execution, trust);
  const isAgreed = typeof agreed === 'string' && isAddressEqual(agreed, to);
  if (!isAgreed && signers < SIGNERS_TO_REDIRECT)
    throw new NotPossibleNow('The address is not the one on record: a second operator has to sign');
  const wanted = { jobId, walletIndex, walletAddress, to, amountWei: BigInt(amountWei) };
  return sender.post(await sender.prepare(wanted, write));
}
