import {
  type FoundToken,
  type OperatorActionEntry,
  type OperatorCommandResponse,
  type OperatorJob,
  type OperatorJobResponse,
  operatorReasonSchema,
  type ReconciliationResponse,
  type TimelineEntry,
} from '@maker/contracts';
import { formatHype, formatUnits } from '@maker/rules';
import { UsageError } from '../command-error.ts';
import type { Printed } from '../output.ts';

/** Output of a command that the API carried out. */
export function outcomeOf(response: OperatorCommandResponse): Printed {
  return { text: `${response.outcome}\nrecorded as ${response.actionId}`, json: response };
}

/** The reason for a command. @throws UsageError if it is too short or long */
export function reasonOf(reason: string): string {
  const parsed = operatorReasonSchema.safeParse(reason);
  if (parsed.success) return parsed.data;
  throw new UsageError('a --reason with 3 to 500 characters is needed: it is kept in the audit log');
}

const hype = (wei: string): string => `${formatHype(BigInt(wei))} HYPE`;

export function jobText(job: OperatorJob): string {
  const flags = Object.entries(job.flags).flatMap(([flag, holds]) => (holds ? flag : []));
  const held = (job.returns ?? []).filter(({ status }) => status === 'held').length;
  return [
    job.jobId,
    job.status.padEnd(17),
    job.createdAt,
    `${hype(job.receivedWei)} of ${hype(job.paymentAmountWei)}`,
    ...flags,
    ...(held > 0 ? [`${held} held`] : []),
  ].join('  ');
}

export function jobDetailText({ job, timeline }: OperatorJobResponse): string {
  return [
    jobText(job),
    `wallet ${job.paymentAddress} (index ${job.walletIndex}), return address ${job.returnAddress ?? 'unknown'}`,
    ...(job.proposedReturnAddress === undefined
      ? []
      : [`the holder of the private code asks for ${job.proposedReturnAddress}: check it, then release to it`]),
    ...(job.hyperCoreWei === undefined ? [] : [`${hype(job.hyperCoreWei)} on HyperCore, which pay for nothing`]),
    ...(job.foundTokens ?? []).map(foundTokenText),
    ...(job.failureReason === undefined ? [] : [`ended because ${job.failureReason}`]),
    ...(job.returns ?? []).map(returnText),
    '',
    ...timeline.map(timelineText),
  ].join('\n');
}

function foundTokenText({ amount, decimals, symbol, tokenAddress }: FoundToken): string {
  return `${formatUnits(BigInt(amount), decimals)} ${symbol} (${tokenAddress}), which pay for nothing`;
}

function returnText({ amountWei, status, to, reason, transactionHash }: NonNullable<OperatorJob['returns']>[number]) {
  const facts = [to && `to ${to}`, reason && `because ${reason}`, transactionHash];
  return ['return', status, hype(amountWei), ...facts.filter(Boolean)].join('  ');
}

function timelineText({ at, action, cause, details }: TimelineEntry): string {
  const facts = Object.entries(details).map(([name, value]) => `${name}=${value}`);
  return [at, action, ...facts, `(${cause})`].join('  ');
}

export function actionText({ at, kind, action, jobId, operator, reason, to, outcome }: OperatorActionEntry): string {
  const facts = [
    jobId ?? 'all jobs',
    to && `to ${to}`,
    `by ${operator}`,
    reason && `'${reason}'`,
    outcome && `→ ${outcome}`,
  ];
  return [at, kind.padEnd(9), action, ...facts.filter(Boolean)].join('  ');
}

/** Formats a comparison of a wallet's ledger with the chain. */
export function reconciliationText(answer: ReconciliationResponse): string {
  return [
    `${answer.verdict.toUpperCase()}: wallet ${answer.walletAddress} at block ${answer.blockNumber}`,
    `chain ${hype(answer.chainWei)}, ledger ${hype(answer.expectedWei)}, difference ${answer.differenceWei} wei`,
    `nonces used ${answer.usedNonces}, signed ${answer.signedNonces}, not final ${answer.openTransactions}`,
    ...answer.explanation.map((line) => `- ${line}`),
  ].join('\n');
}
