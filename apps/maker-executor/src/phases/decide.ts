import { type ActivePhase, isActivePhase } from '@maker/execution-records';
import { exceedsGasGuardrail } from '@maker/rules';
import type { Decision } from '../session/decision.ts';
import type { Session } from '../session/session.ts';
import { Tick } from '../session/tick.ts';
import { type TickRules, Unanswerable, Unanswered, type View } from '../session/view.ts';
import { deliver } from './delivery.ts';
import { endLate } from './end.ts';
import { settleEnded } from './ended.ts';
import { payFee } from './fee.ts';
import { checkWhenDue, isCheckDue, isInDoubt } from './reconcile.ts';
import { returnRest } from './return.ts';
import { settleReorganisation, stop } from './stopped.ts';
import { track } from './track.ts';
import { endTradingWhenOver, trade } from './trading.ts';

/** A job that is first worked on after its latest end has this time to send what is to be sent, ms. */
const GRACE_MS = 1_800_000;

/** What an execution does in each phase. */
const PHASES: Readonly<Record<ActivePhase, (tick: Tick) => void>> = {
  fee: payFee,
  trading: trade,
  delivery: deliver,
  return: returnRest,
};

/**
 * Decides what is done for one execution at one block. Pure: the same session, view and rules give the same decisions. Where
 * something more must be read, the last decision is `ask`: answer it in the view and decide again. Where it could not be
 * read, what was decided before stands, and the rest waits for the next block. Source: design § 5.
 * @throws Error where the database contradicts itself
 */
export function decide(session: Session, view: View, rules: TickRules): readonly Decision[] {
  const tick = new Tick(session, view, rules);
  try {
    run(tick);
  } catch (error) {
    if (error instanceof Unanswered)
      return [...tick.decisions, { kind: 'ask', reason: error.message, question: error.question }];
    if (!(error instanceof Unanswerable)) throw error;
    tick.wait(error.message);
  }
  return tick.decisions;
}

function run(tick: Tick) {
  takeFacts(tick);
  const isSettled = !isActivePhase(tick.execution.phase) && tick.execution.driftWei === 0n;
  // The balance is of the head only while that is the newest block, so it is read before anything else.
  if (!isSettled && tick.open.length > 0 && isCheckDue(tick)) tick.ask('balance', {});
  track(tick);
  noteInTime(tick);
  settleReorganisation(tick);
  if (tick.isOver) return;
  if (!isSettled) checkWhenDue(tick);
  if (tick.execution.driftWei !== 0n) return stop(tick);
  // Before anything that may pause it: no pause moves the published end.
  endTradingWhenOver(tick);
  tick.note('the wallet is not stopped', {}, { stoppedSinceBlock: null });
  if (isLate(tick)) return endLate(tick);
  if (mayWork(tick)) advance(tick);
}

/** What the payer or an operator told since the last tick. */
function takeFacts(tick: Tick) {
  const reload = tick.fact('reload');
  if (reload) tick.add({ kind: 'clearFact', reason: 'the session was read again', fact: reload });
  const cancel = tick.fact('cancel');
  if (!cancel) return;
  const isActive = isActivePhase(tick.execution.phase);
  const change = isActive ? { cancelled: true } : {};
  tick.add({ kind: 'clearFact', reason: 'the job is cancelled', fact: cancel, change });
}

/** A job whose wallet is stopped is worked on as well: its time ends like any other's. */
function noteInTime(tick: Tick) {
  const { phase, plan } = tick.execution;
  if (isActivePhase(phase) && tick.nowMs < plan.latestEndAt.getTime())
    tick.note('before the latest end', {}, { isInTime: true });
}

/** Whether the published latest end is over; what an operator released later has none. */
function isLate(tick: Tick): boolean {
  const { phase, plan, releasedAt, graceEndsAtMs } = tick.execution;
  if (!isActivePhase(phase) || releasedAt !== null) return false;
  if (tick.nowMs < plan.latestEndAt.getTime()) return false;
  if (tick.memory.isInTime || graceEndsAtMs !== null) return tick.nowMs >= (graceEndsAtMs ?? 0);
  tick.note('first worked on after the latest end', { graceEndsAtMs: tick.nowMs + GRACE_MS });
  return false;
}

/** Pauses and resumes by what concerns every job. Ends the tick where nothing may be signed. */
function mayWork(tick: Tick): boolean {
  const { head, execution } = tick;
  const waits = execution.paused?.reason;
  if (exceedsGasGuardrail(head.baseFeeWei, head.tipWei)) {
    if (isActivePhase(execution.phase)) tick.pause('gas_guardrail');
    tick.wait('gas is above the guardrail');
  } else {
    if (waits === 'gas_guardrail' || waits === 'ledger_drift') tick.resume();
    if (tick.fact('pause')) tick.wait('an operator paused it');
    else if (isInDoubt(tick)) tick.wait('ledger and chain are not known to agree');
  }
  return !tick.isOver;
}

/** Goes through phases until one has to wait for a block. */
function advance(tick: Tick) {
  const { phase } = tick.execution;
  if (isActivePhase(phase)) {
    PHASES[phase](tick);
    if (!tick.isOver && tick.execution.phase !== phase) advance(tick);
    return;
  }
  const settle = tick.fact('settle');
  if (settle) settleEnded(tick, settle);
}
