import { type Event, executionCancelCommanded, type jobCancelRequested } from '@maker/contracts';
import { stopCommitment } from '@maker/signing/commands';
import type { z } from 'zod';
import type { Execution } from './execution.ts';

/**
 * Whether a cancellation has a proof: the payer's stop secret, or a command of operators. Source: docs/adr/0120.
 * @param command the event that this service recorded under the id in the request
 */
export function isCancelProven(
  { id, terms }: Pick<Execution, 'id' | 'terms'>,
  { stopProof }: z.output<typeof jobCancelRequested.data>,
  command: Event | undefined,
): boolean {
  if (stopProof !== undefined && terms?.agreement.stopSecretHash === stopCommitment(stopProof)) return true;
  return command?.type === executionCancelCommanded.type && command.jobId === id;
}
