import type { BlockHead } from '@maker/chain';
import {
  type Execution,
  type Inclusion,
  NO_REFUNDS,
  type TransactionPurpose,
  type TransactionRecord,
} from '@maker/execution-records';
import { agreedTerms, startedExecution, TRUST, WALLET } from '@maker/execution-records/testing';
import { decide } from '../phases/decide.ts';
import type { Decision, DecisionOf } from './decision.ts';
import { NEW_MEMORY, type Session } from './session.ts';
import { openAfter, Tick, TickOver } from './tick.ts';
import {
  type Claim,
  type Claims,
  type Question,
  type QuestionKind,
  type Questions,
  type TickRules,
  Unanswered,
  View,
} from './view.ts';

/** Payer of a default session, who receives its rest and its tokens. */
export const PAYER = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';

/** Recipient of fees in {@link RULES}. */
export const TREASURY = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';

/** Deposit of a default session, wei. */
export const DEPOSIT_WEI = 500_000_000_000_000_000n;

/** Chain time of block 100, ms. */
export const STARTED_AT_MS = 1_000_000;

/** Rules of a default tick. */
export const RULES: TickRules = {
  trust: TRUST,
  treasury: TREASURY,
  confirmations: 1,
  mostInFlight: 8,
  mostConsecutiveFailures: 20,
  liquidityTimeoutMs: 600_000,
  reconcileMs: 60_000,
  buyTransaction: ({ pool, amountInWei }) => ({ to: pool.address, data: '0x01', value: amountInWei, gasLimit: 1n }),
};

/** Returns a head, one second after the one before it. @param more fields that differ from the default */
export function headAt(number: number, more: Partial<BlockHead> = {}): BlockHead {
  return {
    number,
    hash: `0x${number}`,
    parentHash: `0x${number - 1}`,
    timestampMs: STARTED_AT_MS + (number - 100) * 1000,
    baseFeeWei: 100_000_000n,
    tipWei: 0n,
    transactionHashes: new Set(),
    ...more,
  };
}

/** Made once: its terms take signatures, and specs ask for thousands of sessions. */
const STARTED = startedExecution(
  { depositWei: DEPOSIT_WEI, returnAddress: PAYER, activatedAt: new Date(STARTED_AT_MS) },
  new Date(STARTED_AT_MS),
);

/** Returns the session of a job that was just paid. @param change of its execution @param more fields of the session that differ */
export function sessionOf(change: Partial<Execution> = {}, more: Partial<Session> = {}): Session {
  const execution = { ...STARTED, ...change };
  const { id: jobId, activatedAt = new Date(STARTED_AT_MS) } = execution;
  // Other addresses than of this wallet are no addresses in some specs.
  const terms = change.walletAddress ? STARTED.terms : agreedTerms({ ...execution, jobId, activatedAt });
  return {
    lease: { name: `wallet/${WALLET}`, owner: 'we', token: 1 },
    execution: { ...execution, ...(terms && { terms }), ...change },
    open: [],
    highestNonce: undefined,
    facts: [],
    memory: NEW_MEMORY,
    ...more,
  };
}

/** A signed transaction of a default session. */
export function transactionOf(purpose: TransactionPurpose, change: Partial<TransactionRecord> = {}): TransactionRecord {
  const fees = { maxFeePerGasWei: 1_000_000_000n, maxPriorityFeePerGasWei: 0n };
  return {
    id: `job/${purpose}/1`,
    jobId: 'job',
    purpose,
    state: 'broadcast',
    chainId: 31337,
    sender: WALLET,
    nonce: 0,
    to: PAYER,
    data: '0x',
    gasLimit: 21_000,
    attempts: [{ hash: '0x1', rawTransaction: '0x02', valueWei: 1n, ...fees }],
    inclusion: null,
    reversals: 0,
    createdAt: new Date(STARTED_AT_MS),
    ...change,
  };
}

/** Returns the inclusion of a transaction in block 99. */
export function inclusionOf(change: Partial<Inclusion> = {}): Inclusion {
  return {
    hash: '0x1',
    blockNumber: 99,
    blockHash: '0x99',
    blockAt: new Date(headAt(99).timestampMs),
    succeeded: true,
    gasUsed: 3,
    gasWei: 3n,
    movedWei: 10n,
    receivedTokens: 0n,
    sentTokens: 0n,
    ...change,
  };
}

type AskedKind = QuestionKind | keyof Claims;
type AnswerOf<Kind extends AskedKind> = (
  arguments_: Extract<Question | Claim, { readonly kind: Kind }>,
) => (Questions & Claims)[Kind][1];

/** A spec's answers by kind of question or claim. A question without an answer fails the spec. */
export type Answers = { readonly [Kind in AskedKind]?: AnswerOf<Kind> };

/** Answers for a job without orders, transfers and refunds. */
export const NOTHING_YET: Answers = {
  usedNonces: () => 0,
  inclusions: () => [],
  settled: ({ finals }) => ({ standing: [], lost: finals.map(({ transaction }) => transaction.id) }),
  signed: () => [],
  refunds: () => [],
  refundSums: () => NO_REFUNDS,
  ledgerAddsUp: () => true,
  transferGas: () => ({ gasLimit: 21_000 }),
  capacity: () => true,
};

/** Time of a tick: its head and our clock, by default the chain's time. */
export interface When {
  readonly head: BlockHead;
  readonly nowMs?: number;
}

/** Result of a tick. */
export interface Decided {
  readonly decisions: readonly Decision[];
  /** The session after the decisions, without the signed transactions. */
  readonly session: Session;
  /** Kinds of the questions asked and of the claims, in order. */
  readonly asked: readonly AskedKind[];
}

/** Decides one tick. */
export function decided(session: Session, answers: Answers, when: When): Decided {
  return answering(session, answers, when, (view) => {
    const decisions = decide(session, view, RULES);
    const last = decisions.at(-1);
    if (last?.kind === 'ask') throw new Unanswered(last.question);
    return decisions;
  });
}

/** Runs a part of a tick. */
export function ticked(session: Session, answers: Answers, when: When, run: (tick: Tick) => void): Decided {
  return answering(session, answers, when, (view) => {
    const tick = new Tick(session, view, RULES);
    try {
      run(tick);
    } catch (error) {
      if (!(error instanceof TickOver)) throw error;
    }
    return tick.decisions;
  });
}

/** Decisions of a kind. */
export function ofKind<Kind extends Decision['kind']>(
  { decisions }: Pick<Decided, 'decisions'>,
  kind: Kind,
): readonly DecisionOf<Kind>[] {
  return decisions.filter((decision): decision is DecisionOf<Kind> => decision.kind === kind);
}

function answering(
  session: Session,
  answers: Answers,
  { head, nowMs = head.timestampMs }: When,
  decisionsOf: (view: View) => readonly Decision[],
): Decided {
  const asked: AskedKind[] = [];
  for (let view = new View(head, nowMs); ; ) {
    try {
      const decisions = decisionsOf(view);
      return { decisions, asked, session: after(session, decisions) };
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error;
      const { question } = error;
      asked.push(question.kind);
      const answer = answers[question.kind] as AnswerOf<AskedKind> | undefined;
      if (!answer) throw new Error(`The spec does not answer '${question.kind}'`);
      view = view.answered(question, answer(question));
    }
  }
}

function after(session: Session, decisions: readonly Decision[]): Session {
  const cleared = ofKind({ decisions }, 'clearFact').map(({ fact }) => fact);
  return {
    ...session,
    execution: Object.assign({}, session.execution, ...decisions.map(({ change }) => change)),
    open: decisions.reduce(openAfter, session.open),
    facts: session.facts.filter((fact) => !cleared.includes(fact)),
    memory: Object.assign({}, session.memory, ...decisions.map(({ memory }) => memory)),
  };
}
