import { Injectable } from '@nestjs/common';
import { Deliver } from '../deliver/deliver.ts';
import { ACTIVE_PHASES, type Execution, type ExecutionPhase } from '../execution.ts';
import { LedgerCheck } from '../ledger/ledger-check.ts';
import { OperatorPauses } from '../pause/operator-pauses.ts';
import { PauseControl } from '../pause/pause-control.ts';
import { chainPause } from '../pause/pause-reason.ts';
import { PayFee } from '../pay-fee/pay-fee.ts';
import { PlaceOrders } from '../place-orders/place-orders.ts';
import { SettleEnded } from '../refund-deposits/settle-ended.ts';
import { ReturnRest } from '../return-rest/return-rest.ts';
import { TransactionTracker } from '../track-transactions/transaction-tracker.ts';
import type { ExecutionContext } from './execution-context.ts';
import type { PhaseStep } from './phase-step.ts';

type ActivePhase = (typeof ACTIVE_PHASES)[number];

/** Whether an execution has work to do. */
export function isActive(execution: Execution): boolean {
  return isActivePhase(execution.phase) || execution.attention;
}

function isActivePhase(phase: ExecutionPhase): phase is ActivePhase {
  return (ACTIVE_PHASES as readonly ExecutionPhase[]).includes(phase);
}

/** One look at one execution at one block: settle what was sent, check, pause or resume, then do what its phase asks. */
@Injectable()
export class ExecutionStep {
  private readonly phases: Readonly<Record<ActivePhase, PhaseStep>>;

  constructor(
    private readonly tracker: TransactionTracker,
    private readonly check: LedgerCheck,
    private readonly pauses: PauseControl,
    private readonly operators: OperatorPauses,
    private readonly settleEnded: SettleEnded,
    payFee: PayFee,
    placeOrders: PlaceOrders,
    deliver: Deliver,
    returnRest: ReturnRest,
  ) {
    this.phases = { fee: payFee, trading: placeOrders, delivery: deliver, return: returnRest };
  }

  /** @returns the execution after it */
  async run(context: ExecutionContext): Promise<Execution> {
    const tracked = await this.tracker.track(context);
    const checked = await this.check.whenDue(tracked);
    const { execution, head } = checked;
    if (execution.driftWei !== 0n) return (await this.pauses.set(checked, 'ledger_drift')).execution;
    const reason = chainPause(head.baseFeeWei);
    if (reason) return (await this.pauses.set(checked, reason)).execution;
    const waits = execution.paused?.reason;
    const resumed =
      waits === 'gas_guardrail' || waits === 'ledger_drift' ? await this.pauses.set(checked, undefined) : checked;
    if (await this.operators.stop(resumed)) return resumed.execution;
    return this.advance(resumed);
  }

  private async advance(context: ExecutionContext): Promise<Execution> {
    const { phase } = context.execution;
    if (!isActivePhase(phase)) {
      return context.execution.attention ? (await this.settleEnded.advance(context)).execution : context.execution;
    }
    const after = await this.phases[phase].advance(context);
    return after.execution.phase === phase ? after.execution : this.advance(after);
  }
}
