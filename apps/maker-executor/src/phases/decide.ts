import { type ActivePhase, isActivePhase } from '@maker/execution-records';
import { exceedsGasGuardrail } from '@maker/rules';
import type { Decision } from '../session/decision.ts';
import type { Session } from '../session/session.ts';
import { Tick, TickOver } from '../session/tick.ts';
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

/** Time that a job has to send its transfers if its first tick comes after its latest end, ms. */
const GRACE_MS = 1_800_000;

/** Function that decides each phase. */
const PHASES: Readonly<Record<ActivePhase, (tick: Tick) => void>> = {
  fee: payFee,
  trading: trade,
  delivery: deliver,
  return: returnRest,
};

/**
 * Decides one tick of one execution at one block. Pure: the same session, view and rules give the same decisions. If a decision
 * needs more data, or a claim before it signs, the last decision is `ask`: answer it in the view and decide again. If that fails, the
 * earlier decisions stand, and the rest waits for the next block. Source: design § 5.
 * @throws Error if the database contradicts itself
 */
export function decide(session: Session, view: View, rules: TickRules): readonly Decision[] {
  const tick = new Tick(session, view, rules);
  try {
    run(tick);
  } catch (error) {
    if (error instanceof Unanswered)
      return [...tick.decisions, { kind: 'ask', reason: error.message, question: error.question }];
    if (error instanceof Unanswerable) return [...tick.decisions, { kind: 'wait', reason: error.message }];
    if (!(error instanceof TickOver)) throw error;
  }
  return tick.decisions;
}

function run(tick: Tick) {
  handleFacts(tick);
  const isSettled = !isActivePhase(tick.execution.phase) && tick.execution.driftWei === 0n;
  // An endpoint answers with the head's balance only while that is the newest block, so this is read first.
  if (!isSettled && tick.open.length > 0 && isCheckDue(tick)) tick.ask('balance', {});
  track(tick);
  noteInTime(tick);
  settleReorganisation(tick);
  if (!isSettled) checkWhenDue(tick);
  if (tick.execution.driftWei !== 0n) return stop(tick);
  // Before anything that may pause the job: a pause does not move the published end.
  endTradingWhenOver(tick);
  tick.note('the wallet is not stopped', {}, { stoppedSinceBlock: null });
  if (isLate(tick)) return endLate(tick);
  waitUnlessAllowed(tick);
  advance(tick);
}

/** Handles the facts that the payer or an operator caused since the last tick. */
function handleFacts(tick: Tick) {
  const reload = tick.fact('reload');
  if (reload) tick.add({ kind: 'clearFact', reason: 'the session was read again', fact: reload });
  const cancel = tick.fact('cancel');
  if (!cancel) return;
  const isActive = isActivePhase(tick.execution.phase);
  const change = isActive ? { cancelled: true } : {};
  tick.add({ kind: 'clearFact', reason: 'the job is cancelled', fact: cancel, change });
}

/** Notes a tick before the latest end. This includes jobs with a stopped wallet, whose time ends like any other's. */
function noteInTime(tick: Tick) {
  const { phase, plan } = tick.execution;
  if (isActivePhase(phase) && tick.nowMs < plan.latestEndAt.getTime())
    tick.note('before the latest end', {}, { isInTime: true });
}

/** Whether the published latest end has passed. A release by an operator has no latest end. */
function isLate(tick: Tick): boolean {
  const { phase, plan, releasedAt, graceEndsAtMs } = tick.execution;
  if (!isActivePhase(phase) || releasedAt !== null) return false;
  if (tick.nowMs < plan.latestEndAt.getTime()) return false;
  if (tick.memory.isInTime || graceEndsAtMs !== null) return tick.nowMs >= (graceEndsAtMs ?? 0);
  tick.note('first tick after the latest end', { graceEndsAtMs: tick.nowMs + GRACE_MS });
  return false;
}

/** Pauses or resumes for reasons that apply in every phase. Ends the tick if nothing may be signed. */
function waitUnlessAllowed(tick: Tick) {
  const { head, execution } = tick;
  const waits = execution.paused?.reason;
  if (exceedsGasGuardrail(head.baseFeeWei, head.tipWei)) {
    if (isActivePhase(execution.phase)) tick.pause('gas_guardrail');
    tick.wait('gas is above the guardrail');
  }
  if (waits === 'gas_guardrail' || waits === 'ledger_drift') tick.resume();
  if (tick.fact('pause')) tick.wait('an operator paused it');
  if (isInDoubt(tick)) tick.wait('ledger and chain are not known to agree');
}

/** Runs phases until one ends the tick. */
function advance(tick: Tick) {
  const { phase } = tick.execution;
  if (isActivePhase(phase)) {
    PHASES[phase](tick);
    if (tick.execution.phase !== phase) advance(tick);
    return;
  }
  const settle = tick.fact('settle');
  if (settle) settleEnded(tick, settle);
}
