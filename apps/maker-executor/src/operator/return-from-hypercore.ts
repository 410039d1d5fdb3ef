import type { SignedText } from '@maker/contracts';
import { getAddress, isAddressEqual } from 'viem';
import type { MakerDatabase } from '../database.ts';
import { NotPossibleNow } from '../execution/not-possible-now.ts';
import type { WriteOutcome } from './check-command.ts';
import { SIGNERS_TO_REDIRECT } from './decide-release.ts';
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
  { executions }: MakerDatabase,
  sender: HyperCoreSender,
): Promise<string> {
  const walletAddress = getAddress(command.walletAddress);
  const to = getAddress(command.to);
  const execution = await executions.find(jobId);
  if (execution && !isAddressEqual(execution.walletAddress, walletAddress))
    throw new NotPossibleNow("That is not the job's wallet");
  // Only this service's record counts, which exists for paid jobs: the job service or the gateway could name any address.
  const isOnRecord = execution?.returnAddress != null && isAddressEqual(execution.returnAddress, to);
  if (!isOnRecord && signers < SIGNERS_TO_REDIRECT)
    throw new NotPossibleNow('The address is not the one on record: a second operator has to sign');
  const wanted = { jobId, walletIndex, walletAddress, to, amountWei: BigInt(amountWei) };
  return sender.post(await sender.prepare(wanted, write));
}
