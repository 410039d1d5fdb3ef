import { executionPaused, executionResumed } from '@maker/contracts';
import type {
  Execution,
  ExecutionChange,
  Fact,
  FactKind,
  FinalTransaction,
  LedgerEntry,
  Order,
  Refund,
} from '@maker/execution-records';
import { type Decision, type DecisionOf, type JobEvent, jobEvent } from './decision.ts';

type Pause = NonNullable<Execution['paused']>;

/** Merged writes of a tick's decisions for one database transaction, without the signed transactions. */
export interface TickWrites {
  readonly change: ExecutionChange;
  readonly entries: readonly LedgerEntry[];
  readonly events: readonly JobEvent[];
  readonly clearedFacts: readonly Fact[];
  readonly newFacts: readonly FactKind[];
  /** Now in blocks, but not deep enough to be booked. */
  readonly mined: readonly FinalTransaction[];
  /** Now in blocks and booked in this tick. */
  readonly finalAtOnce: readonly FinalTransaction[];
  /** Ids of transactions that were mined earlier and are booked now. */
  readonly finalIds: readonly string[];
  /** Ids of mined transactions that lost their block. */
  readonly lostIds: readonly string[];
  /** Ids of booked transactions that lost their block. */
  readonly reopenedIds: readonly string[];
  readonly orders: readonly Order[];
  readonly refunds: readonly DecisionOf<'settleRefunds'>[];
  readonly placeholders: readonly Refund[];
  /** End of the earlier pause, and the pause that begins. */
  readonly pause: { readonly endsAt: Date | null; readonly begins: Pause | null };
  readonly endedAt: Date | undefined;
}

/** Merges decisions. @param before the execution before the tick @param at chain time of the tick */
export function writesOf(before: Execution, decisions: readonly Decision[], at: Date): TickWrites {
  const ofKind = <Kind extends Decision['kind']>(kind: Kind) =>
    decisions.filter((decision): decision is DecisionOf<Kind> => decision.kind === kind);
  const tracked = ofKind('track');
  const finals = tracked.flatMap((decision) => decision.finals);
  const found = tracked.flatMap((decision) => decision.found);
  const isFound = ({ transaction }: FinalTransaction) => found.some((one) => one.transaction.id === transaction.id);
  const isFinal = ({ transaction }: FinalTransaction) => finals.some((one) => one.transaction.id === transaction.id);
  const { paused, ...change } = Object.assign({}, ...decisions.map((decision) => decision.change)) as ExecutionChange;
  const pause = pauseWrites(before, paused, decisions, at);
  const ids = (some: readonly FinalTransaction[]) => some.map(({ transaction }) => transaction.id);
  return {
    change: { ...change, ...(paused !== undefined && !isSamePause(before.paused, paused) && { paused }) },
    entries: decisions.flatMap(({ entries = [] }) => entries),
    events: [...decisions.flatMap(({ events = [] }) => events), ...pause.events],
    clearedFacts: ofKind('clearFact').map(({ fact }) => fact),
    newFacts: ofKind('end').flatMap(({ newFacts }) => newFacts),
    mined: found.filter((one) => !isFinal(one)),
    finalAtOnce: found.filter(isFinal),
    finalIds: ids(finals.filter((one) => !isFound(one))),
    lostIds: tracked.flatMap(({ lost }) => lost.map(({ id }) => id)),
    reopenedIds: ids(ofKind('reopen').flatMap(({ lost }) => lost)),
    orders: ofKind('send').flatMap(({ orders = [] }) => orders),
    refunds: ofKind('settleRefunds'),
    placeholders: ofKind('reportSurplus').map(({ placeholder }) => placeholder),
    pause: pause.log,
    endedAt: ofKind('end')[0]?.endedAt,
  };
}

/** Whether there is nothing to write. */
export function isEmpty({ change, endedAt, pause, ...lists }: TickWrites): boolean {
  return (
    Object.keys(change).length === 0 &&
    endedAt === undefined &&
    pause.endsAt === null &&
    pause.begins === null &&
    Object.values(lists).every((list) => list.length === 0)
  );
}

/** A pause for the same reason continues, also if the tick ended it and began it again. */
function isSamePause(before: Execution['paused'], after: Execution['paused']): boolean {
  return before?.reason === after?.reason;
}

function pauseWrites(
  { paused: before }: Execution,
  after: Execution['paused'] | undefined,
  decisions: readonly Decision[],
  at: Date,
): { readonly log: TickWrites['pause']; readonly events: readonly JobEvent[] } {
  const isDecided = decisions.some(({ kind }) => kind === 'pause' || kind === 'resume');
  if (!isDecided || after === undefined || isSamePause(before, after))
    return { log: { endsAt: null, begins: null }, events: [] };
  return {
    log: { endsAt: before && at, begins: after },
    events: [
      ...(before ? [jobEvent(executionResumed, { reason: before.reason })] : []),
      ...(after ? [jobEvent(executionPaused, { reason: after.reason })] : []),
    ],
  };
}
