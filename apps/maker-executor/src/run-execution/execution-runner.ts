import { type Lease, LeaseLostError } from '@maker/persistence';
import { runWithRequestId } from '@maker/service-kit';
import type { Logger } from 'pino';
import type { BlockHead } from '../chain/head-feed.ts';
import { type Execution, isActive } from '../execution/execution.ts';
import { type ExecutionsRepository, StaleExecutionError } from '../execution/executions.repository.ts';
import type { MakerMetrics } from '../metrics/maker.metrics.ts';
import type { TransactionsRepository } from '../transaction/transactions.repository.ts';
import type { ExecutionTick } from './execution-tick.ts';

/** Why a runner has nothing more to do. */
export type RunnerEnd = 'ended' | 'lease_lost';

/** What a runner works with. */
export interface RunnerParts {
  readonly executions: ExecutionsRepository;
  readonly transactions: TransactionsRepository;
  readonly tick: ExecutionTick;
  readonly metrics: MakerMetrics;
  readonly logger: Logger;
}

/**
 * Drives one execution while this process holds its wallet's lease: one tick per block, never two at once. A tick that
 * fails changes nothing that is not saved, and the next block brings another.
 */
export class ExecutionRunner {
  private running: Promise<void> | undefined;
  private waiting: BlockHead | undefined;
  private stopped = false;
  private failures = 0;

  constructor(
    readonly lease: Lease,
    private readonly execution: Pick<Execution, 'id' | 'origin'>,
    private readonly parts: RunnerParts,
    private readonly onEnd: (end: RunnerEnd) => void,
  ) {}

  /** A new block: a tick at once, or after the one under way. */
  onHead(head: BlockHead): void {
    if (this.stopped) return;
    this.waiting = head;
    this.running ??= this.drain();
  }

  /** Ends after the tick under way. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
  }

  private async drain(): Promise<void> {
    for (let head = this.waiting; head && !this.stopped; head = this.waiting) {
      this.waiting = undefined;
      const next = head;
      await runWithRequestId(this.execution.origin?.requestId, () => this.tick(next));
    }
    this.running = undefined;
  }

  private async tick(head: BlockHead): Promise<void> {
    try {
      const { id } = this.execution;
      const execution = await this.parts.executions.find(id);
      if (!execution || !isActive(execution)) return this.end('ended');
      const open = await this.parts.transactions.open(id);
      const after = await this.parts.tick.run({ lease: this.lease, head, execution, open });
      this.succeeded(after);
    } catch (error) {
      if (error instanceof LeaseLostError) this.end('lease_lost');
      // A signal came in mid-tick, which is no fault: the next tick heeds it.
      else if (error instanceof StaleExecutionError) this.again(head);
      else this.failed(error);
    }
  }

  private again(head: BlockHead): void {
    this.waiting ??= head;
  }

  private succeeded(execution: Execution): void {
    if (this.failures > 0)
      this.parts.logger.info({ jobId: this.execution.id, failures: this.failures }, 'looks succeed again');
    this.failures = 0;
    if (!isActive(execution)) this.end('ended');
  }

  private failed(error: unknown): void {
    this.failures += 1;
    this.parts.metrics.fault();
    // The first of a row, then one a minute: a node that is down for an hour is one fact.
    if (this.failures % 60 !== 1) return;
    this.parts.logger.error(
      { err: error, jobId: this.execution.id, failures: this.failures },
      'a look at an execution failed; it is repeated at the next block',
    );
  }

  private end(end: RunnerEnd): void {
    if (this.stopped) return;
    this.stopped = true;
    this.onEnd(end);
  }
}
