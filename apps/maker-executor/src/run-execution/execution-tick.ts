import { Injectable } from '@nestjs/common';
import { LedgerCheck } from '../check-ledger/ledger-check.ts';
import { Deliver } from '../deliver/deliver.ts';
import { type ActivePhase, type Execution, isActivePhase } from '../execution/execution.ts';
import { ExecutionWriter } from '../execution/execution-writer.ts';
import type { LeasedExecution, PhaseStep } from '../execution/leased-execution.ts';
import { OperatorPauses } from '../pause/operator-pauses.ts';
import { PauseControl } from '../pause/pause-control.ts';
import { chainPause } from '../pause/pause-reason.ts';
import { PayFee } from '../pay-fee/pay-fee.ts';
import { PlaceOrders } from '../place-orders/place-orders.ts';
import { SendRefunds } from '../refund-deposits/send-refunds.ts';
import { SettleEnded } from '../refund-deposits/settle-ended.ts';
import { EndLateExecution } from '../return-rest/end-late-execution.ts';
import { EndStoppedExecution } from '../return-rest/end-stopped-execution.ts';
import { ReturnRest } from '../return-rest/return-rest.ts';
import { LostTransactions } from '../track-transactions/lost-transactions.ts';
import { TransactionTracker } from '../track-transactions/transaction-tracker.ts';

/** Blocks after which transactions that lost theirs are not expected to be mined again by themselves. */
const MINED_AGAIN_WITHIN_BLOCKS = 30;

/** A process that finds a job when its latest end is over already was down, or nobody was there: it has this time to send what is to be sent. */
const LATE_START_MS = 1_800_000;

/** One tick of one execution at one block: settle what was sent, check, pause or resume, then do what its phase asks. */
@Injectable()
export class ExecutionTick {
  private readonly phases: Readonly<Record<ActivePhase, PhaseStep>>;
  /** Height at which a wallet was first found stopped, by job. */
  private readonly stoppedSince = new Map<string, number>();
  /** When each job is ended whatever it waits for, ms of the chain's clock. */
  private readonly endsAtMs = new Map<string, number>();

  constructor(
    private readonly tracker: TransactionTracker,
    private readonly check: LedgerCheck,
    private readonly pauses: PauseControl,
    private readonly operators: OperatorPauses,
    private readonly settleEnded: SettleEnded,
    private readonly lost: LostTransactions,
    private readonly stopped: EndStoppedExecution,
    private readonly late: EndLateExecution,
    private readonly writer: ExecutionWriter,
    refunds: SendRefunds,
    payFee: PayFee,
    private readonly placeOrders: PlaceOrders,
    deliver: Deliver,
    returnRest: ReturnRest,
  ) {
    const refundThenReturn: PhaseStep = {
      advance: (leased) => returnRest.advance(leased, (begun, next, isLate) => refunds.before(begun, next, isLate)),
    };
    this.phases = { fee: payFee, trading: placeOrders, delivery: deliver, return: refundThenReturn };
  }

  /** @returns the execution after it */
  async run(leased: LeasedExecution): Promise<Execution> {
    const ahead = isOver(leased) ? undefined : await this.check.readAhead(leased);
    const tracked = await this.tracker.track(leased);
    const reopened = tracked.execution.recheck ? await this.settleReorg(tracked) : tracked;
    if (reopened.execution.recheck) return (await this.stop(reopened)).execution;
    const checked = isOver(reopened) ? reopened : await this.check.whenDue(reopened, ahead);
    if (checked.execution.driftWei !== 0n) return (await this.stop(checked)).execution;
    // Before anything that may pause it: no pause moves the published end.
    const inTime = await this.placeOrders.endWhenOver(checked);
    const { execution, head } = inTime;
    this.stoppedSince.delete(execution.id);
    if (this.isLate(inTime)) return (await this.late.end(inTime)).execution;
    const reason = chainPause(head);
    if (reason) return isActivePhase(execution.phase) ? (await this.pauses.set(inTime, reason)).execution : execution;
    const waits = execution.paused?.reason;
    const resumed =
      waits === 'gas_guardrail' || waits === 'ledger_drift' ? await this.pauses.set(inTime, undefined) : inTime;
    if ((await this.operators.stop(resumed)) || this.check.isInDoubt(execution.id)) return resumed.execution;
    return this.advance(resumed);
  }

  /** Whether the published latest end is over; what an operator released later has none. */
  private isLate({ execution, head }: LeasedExecution): boolean {
    const { id, phase, plan, releasedAt } = execution;
    if (!isActivePhase(phase) || releasedAt !== null) {
      this.endsAtMs.delete(id);
      return false;
    }
    const latestMs = plan.latestEndAt.getTime();
    const endsAtMs =
      this.endsAtMs.get(id) ?? (head.timestampMs < latestMs ? latestMs : head.timestampMs + LATE_START_MS);
    this.endsAtMs.set(id, endsAtMs);
    return head.timestampMs >= endsAtMs;
  }

  /** Goes on when all that was final is so again, and ledger and chain agree; until then nothing is signed. */
  private async settleReorg(leased: LeasedExecution): Promise<LeasedExecution> {
    const { leased: after, allStand } = await this.lost.reopen(leased);
    if (!allStand) return after;
    const cleared = await this.writer.write(after, { recheck: false });
    return (await this.check.now(cleared)) ?? cleared;
  }

  /**
   * Ledger and chain differ: nothing is signed. A job that is cancelled, or whose published end is over, ends where it stands,
   * unless its transactions are only on their way into blocks again.
   */
  private async stop(leased: LeasedExecution): Promise<LeasedExecution> {
    const { execution, open, head } = leased;
    // What was missing is booked: only what was signed for that money is open, and the job waits for nothing.
    if (!isActivePhase(execution.phase) && execution.driftWei === 0n) return leased;
    const since = this.stoppedSince.get(execution.id) ?? head.number;
    this.stoppedSince.set(execution.id, since);
    const paused = await this.pauses.set(leased, 'ledger_drift');
    const patience = open.length > 0 ? MINED_AGAIN_WITHIN_BLOCKS : 0;
    const isOver = execution.cancelled || head.timestampMs >= execution.plan.latestEndAt.getTime();
    const mayEnd = isActivePhase(execution.phase) && isOver && head.number - since >= patience;
    return mayEnd ? this.stopped.end(paused) : paused;
  }

  private async advance(leased: LeasedExecution): Promise<Execution> {
    const { phase } = leased.execution;
    if (!isActivePhase(phase)) {
      return leased.execution.attention ? (await this.settleEnded.advance(leased)).execution : leased.execution;
    }
    const after = await this.phases[phase].advance(leased);
    return after.execution.phase === phase ? after.execution : this.advance(after);
  }
}

/** An ended wallet is looked at when there is reason to, ever more rarely; see `SettleEnded`. */
function isOver({ execution }: LeasedExecution): boolean {
  return !isActivePhase(execution.phase) && execution.driftWei === 0n;
}
