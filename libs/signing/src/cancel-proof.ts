import { type Event, executionCancelCommanded, type SignedTerms } from '@maker/contracts';
import { stopCommitment } from './stop-proof.ts';

/**
 * Whether a cancellation has a proof: the payer's stop secret, or a command of operators. Source: docs/adr/0120.
 * @param command the event that this service recorded under the id in the request
 */
export function isCancelProven(
  { id, terms }: { readonly id: string; readonly terms?: SignedTerms },
  { stopProof }: { readonly stopProof?: string | undefined },
  command: Event | undefined,
): boolean {
  if (stopProof !== undefined && terms?.agreement.stopSecretHash === stopCommitment(stopProof)) return true;
  return command?.type === executionCancelCommanded.type && command.jobId === id;
}
