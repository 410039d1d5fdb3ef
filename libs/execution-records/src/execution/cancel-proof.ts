import { type Event, executionCancelCommanded, type jobCancelRequested } from '@maker/contracts';
import { stopCommitment } from '@maker/signing/commands';
import type { z } from 'zod';
import type { Execution } from './execution.ts';

/**
 * Whether a cancellation is the payer's own, by the stop secret, or one that operators commanded. Source: docs/adr/0120.
 * @param command what this service recorded under the id that the request names
 */
export function isCancelProven(
  { id, stopCommitments = [] }: Pick<Execution, 'id' | 'stopCommitments'>,
  { stopProof }: z.output<typeof jobCancelRequested.data>,
  command: Event | undefined,
): boolean {
  if (stopProof !== undefined && stopCommitments.includes(stopCommitment(stopProof))) return true;
  return command?.type === executionCancelCommanded.type && command.jobId === id;
}
