import type { BlockHead } from '@maker/chain';
import { type Execution, type Fact, factOf, StaleExecutionError } from '@maker/execution-records';
import { type Lease, LeaseLostError } from '@maker/persistence';
import { inSpan, type Logger, runWithRequestId, type Watched, watchdog } from '@maker/service-kit';
import type { MakerMetrics } from '../metrics/maker.metrics.ts';
import { decide } from '../phases/decide.ts';
import type { Decision } from '../session/decision.ts';
import { FORGOTTEN_AT_END, isAtWork, type Memory, NEW_MEMORY, type Session } from '../session/session.ts';
import { isClaim, View } from '../session/view.ts';
import type { GasGrant } from '../wallet/gas-limiter.ts';
import type { Applied, Apply } from './apply.ts';
import { reportTick } from './report-tick.ts';
import { TickReader } from './tick-reader.ts';
import { LedgerBrokenError, type TickSources } from './tick-sources.ts';

/** Why a runner ended. */
export type RunnerEnd = 'ended' | 'lease_lost';

/** Dependencies of a runner. */
export interface RunnerParts {
  readonly sources: TickSources;
  readonly apply: Apply;
  readonly metrics: MakerMetrics;
  readonly logger: Logger;
}

/** A block, and the facts of the execution at that time. */
interface Round {
  readonly head: BlockHead;
  readonly facts: Promise<readonly Fact[]>;
}

/**
 * Owns the session of one execution while this process holds its wallet's lease. It runs one tick per block, never two at the
 * same time. A failed tick keeps only its saved changes; the next block starts another tick.
 */
export class SessionRunner {
  private session: Session | undefined;
  /** Whether the rows may differ from the session, so that the next tick must read them again. */
  private isStale = false;
  private running: Promise<void> | undefined;
  private waiting: Round | undefined;
  private stopped = false;
  private failures = 0;
  private watched: Watched | undefined;

  constructor(
    readonly lease: Lease,
    private readonly execution: Pick<Execution, 'id' | 'origin'>,
    private readonly parts: RunnerParts,
    private readonly onEnd: (end: RunnerEnd) => void,
  ) {}

  /** Chain time at which the execution last found no room in the minute's gas, ms. */
  get noRoomAtMs(): number | null {
    return this.session?.memory.noRoomAtMs ?? null;
  }

  /** Starts a tick for a new block, or queues it behind the running tick. */
  onHead(head: BlockHead, facts: Promise<readonly Fact[]>): void {
    // A round that awaits the facts receives their failure. A skipped round awaits nothing, so the failure is caught here.
    facts.catch(() => undefined);
    if (this.stopped) return;
    this.waiting = { head, facts };
    this.running ??= this.drain();
  }

  /** Ends after the running tick. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.idle();
  }

  /** Waits for the running and queued ticks. */
  async idle(): Promise<void> {
    await this.running;
  }

  private async drain(): Promise<void> {
    for (let round = this.waiting; round && !this.stopped; round = this.waiting) {
      this.waiting = undefined;
      const next = round;
      this.watched ??= watchdog.watch('execution tick');
      this.watched.cameRound();
      await runWithRequestId(this.execution.origin?.requestId, () => this.round(next));
    }
    this.watched?.end();
    this.watched = undefined;
    this.running = undefined;
  }

  private async round(round: Round): Promise<void> {
    try {
      const unread = await this.tick(round.head, await round.facts);
      if (unread === undefined) this.succeeded();
      else this.failed(unread);
      if (this.session && !isAtWork(this.session)) this.end('ended');
    } catch (error) {
      this.isStale = true;
      if (error instanceof LeaseLostError) this.end('lease_lost');
      // An operator's command changed the execution meanwhile: the round decides again from the stored rows.
      else if (error instanceof StaleExecutionError) this.waiting ??= round;
      else this.failed(error);
    }
  }

  /** @returns why a part of the tick failed; undefined if all succeeded */
  private async tick(head: BlockHead, facts: readonly Fact[]): Promise<unknown> {
    const session = await this.load(facts);
    if (!session) return undefined;
    const { apply, sources } = this.parts;
    const grants: GasGrant[] = [];
    const release = () => Promise.all(grants.splice(0).map((grant) => grant.release()));
    try {
      const { decisions, failure: unread } = await this.decide(session, head, grants);
      const nextNonce = () => sources.chain.usedNonces(session.execution.walletAddress, 0);
      const sends = decisions.filter(({ kind }) => kind === 'send').length;
      const carryOut = async () => {
        const applied = await apply.save(session, decisions, head, nextNonce);
        this.session = applied.session;
        await release();
        this.session = await apply.send(applied.session, applied.outgoing, head);
        await this.report(session, applied);
        return applied.failure ?? unread;
      };
      if (sends === 0) return await carryOut();
      const { id, origin = {} } = session.execution;
      return await inSpan('send transactions', { origin, attributes: { 'maker.job.id': id } }, carryOut);
    } finally {
      await release();
    }
  }

  /** Returns the session with new facts. It reads the rows first if they may have changed. */
  private async load(facts: readonly Fact[]): Promise<Session | undefined> {
    if (this.session && !this.isStale && !factOf(facts, 'reload')) {
      this.session = { ...this.session, facts };
      return this.session;
    }
    const { database, chain } = this.parts.sources;
    const execution = await database.executions.find(this.execution.id);
    if (!execution) {
      this.end('ended');
      return undefined;
    }
    const { lease } = this;
    const open = await database.transactions.open(execution.id);
    const highestNonce = await database.transactions.highestNonce(chain.network.chainId, execution.walletAddress);
    const memory = memoryFor(execution, this.session);
    this.session = { lease, execution, open, highestNonce, facts, memory };
    this.isStale = false;
    return this.session;
  }

  private async decide(
    session: Session,
    head: BlockHead,
    grants: GasGrant[],
  ): Promise<{ readonly decisions: readonly Decision[]; readonly failure?: unknown }> {
    const { sources, apply } = this.parts;
    const reader = new TickReader(sources, session, head);
    let view = new View(head, sources.feed.now(), undefined, performance.now());
    let failure: unknown;
    for (;;) {
      const decisions = decide(session, view, sources.rules);
      const last = decisions.at(-1);
      if (last?.kind !== 'ask') return { decisions, failure };
      const { question } = last;
      // Where requests are scarce, the answers of one tick may take minutes.
      this.watched?.cameRound();
      try {
        const answer = isClaim(question) ? apply.claim(session, question, head, grants) : reader.answer(question);
        view = view.answered(question, await answer);
      } catch (error) {
        failure = error;
        view = view.failed(question);
      }
    }
  }

  private async report(before: Session, { session, decisions }: Applied): Promise<void> {
    const { metrics, logger, sources } = this.parts;
    await reportTick(before, session, decisions, { metrics, logger, pauses: sources.database.pauses });
  }

  private succeeded(): void {
    if (this.failures > 0)
      this.parts.logger.info({ jobId: this.execution.id, failures: this.failures }, 'execution ticks succeed again');
    this.failures = 0;
  }

  private failed(error: unknown): void {
    const { metrics, logger } = this.parts;
    this.failures += 1;
    metrics.fault();
    if (error instanceof LedgerBrokenError) metrics.drift('broken');
    // Logs the first failure of a series, then about one a minute.
    if (this.failures % 60 !== 1) return;
    logger.error(
      { err: error, jobId: this.execution.id, failures: this.failures },
      'execution tick failed, retrying at the next block',
    );
  }

  private end(end: RunnerEnd): void {
    if (this.stopped) return;
    this.stopped = true;
    this.onEnd(end);
  }
}

/** Returns the memory for rows just read. If they changed, they were never compared with the chain. */
function memoryFor({ revision }: Execution, before: Session | undefined): Memory {
  if (!before) return NEW_MEMORY;
  return revision === before.execution.revision ? before.memory : { ...before.memory, ...FORGOTTEN_AT_END };
}
