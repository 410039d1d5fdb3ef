import { currentAttempt, type PausesRepository, qualityOf } from '@maker/execution-records';
import type { Logger } from '@maker/service-kit';
import type { MakerMetrics } from '../metrics/maker.metrics.ts';
import type { Decision, DecisionOf } from '../session/decision.ts';
import type { Session } from '../session/session.ts';

/** Receivers of a tick's reports. */
export interface Reports {
  readonly metrics: MakerMetrics;
  readonly logger: Logger;
  readonly pauses: PausesRepository;
}

/** Logs and counts a tick's decisions after they are saved. */
export async function reportTick(
  before: Session,
  after: Session,
  decisions: readonly Decision[],
  reports: Reports,
): Promise<void> {
  const { metrics, logger } = reports;
  const { id: jobId, paused } = before.execution;
  for (const decision of decisions) {
    const { log } = decision;
    if (log) logger[log.level]({ jobId, ...log.fields }, log.message);
    if (decision.kind === 'track') await reportTracked(before, decision, reports);
    else if (decision.kind === 'send' && decision.orders) metrics.ordersSigned(decision.orders.length);
    else if (decision.kind === 'replace') reportReplaced(decision, after, reports);
    else if (decision.kind === 'note' && decision.drift) metrics.drift(decision.drift);
    else if (decision.kind === 'note' && decision.feeRefused) metrics.feeRefused();
    else if (decision.kind === 'end') reportEnd(after, decision, metrics);
  }
  const reasons = { before: paused?.reason ?? null, after: after.execution.paused?.reason ?? null };
  if (reasons.before !== reasons.after) logger.info({ jobId, ...reasons }, 'pause changed');
}

async function reportTracked(
  { execution }: Session,
  { found, finals, booking }: DecisionOf<'track'>,
  { metrics, logger, pauses }: Reports,
): Promise<void> {
  for (const { transaction, inclusion } of found) {
    const { jobId, purpose, nonce, createdAt } = transaction;
    metrics.confirmed(purpose, inclusion.blockAt.getTime() - createdAt.getTime(), inclusion.succeeded);
    if (!inclusion.succeeded) logger.warn({ jobId, purpose, nonce, hash: inclusion.hash }, 'transaction reverted');
  }
  for (const { kind, amountWei } of booking.entries) {
    if (kind === 'order_gas' || kind === 'gas') metrics.moved('gas', amountWei);
    else if (kind === 'fee' || kind === 'order' || kind === 'returned') metrics.moved(kind, amountWei);
  }
  // A job that was paused, for cheaper gas or an operator, does not show how quickly jobs start.
  const first = finals.find(({ transaction, inclusion }) => transaction.purpose === 'order' && inclusion.succeeded);
  if (!first || execution.ordersPlaced > 0 || !execution.activatedAt) return;
  const { inAll } = await pauses.newest(execution, 1);
  if (inAll === 0) metrics.firstOrder(first.inclusion.blockAt.getTime() - execution.activatedAt.getTime());
}

function reportReplaced({ transaction }: DecisionOf<'replace'>, { open }: Session, { metrics, logger }: Reports): void {
  const { id, jobId, purpose, nonce } = transaction;
  const replaced = open.find((one) => one.id === id);
  metrics.replacement(purpose);
  const hash = replaced && currentAttempt(replaced).hash;
  logger.info({ jobId, purpose, nonce, hash }, 'stuck transaction replaced with a higher fee');
}

function reportEnd({ execution }: Session, { endedAt }: DecisionOf<'end'>, metrics: MakerMetrics): void {
  const { ending, heldReason, releasedAt } = execution;
  if (releasedAt !== null) return;
  // A job that stops early pays its whole fee for few tokens. Its shortfall does not show how well orders were placed.
  const quality = ending?.kind === 'completed' ? qualityOf(execution) : undefined;
  if (quality) metrics.quality(quality);
  if (ending?.at && heldReason === null) metrics.returned(endedAt.getTime() - ending.at.getTime());
}
