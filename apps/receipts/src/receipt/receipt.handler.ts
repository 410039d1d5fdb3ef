import { getReceipt, MOST_RECEIPT_PAUSES, MOST_RECEIPT_TRANSFERS, type Receipt } from '@maker/contracts';
import { type ExecutionProgress, ExecutionRecords } from '@maker/execution-records';
import { HandleRequest } from '@maker/messaging';
import { SingleFlight, SteadyClock } from '@maker/service-kit';
import { Controller } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { buildReceipt } from './build-receipt.ts';

/** Receipts in memory, at most some 50 KB each. */
const MOST_RECEIPTS_CACHED = 1000;

/** A node's answer to a broadcast changes a transfer without a new revision of its execution, ms. */
const ACTIVE_KEPT_MS = 1000;

interface MadeReceipt {
  readonly receipt: Receipt;
  /** Its cache key: the execution's revision and the operator's pause. */
  readonly state: string;
  readonly madeAtMs: number;
}

/** Answers requests for the public receipt of a job from a cache that all its readers share. Source: design § 2.6. */
@Controller()
export class ReceiptHandler {
  private readonly made = new LRUCache<string, MadeReceipt>({ max: MOST_RECEIPTS_CACHED });
  private readonly making = new SingleFlight<Receipt | null>();

  constructor(
    private readonly records: ExecutionRecords,
    private readonly clock: SteadyClock,
  ) {}

  @HandleRequest(getReceipt)
  async receipt({ jobId }: { jobId: string }) {
    const { executions, facts } = this.records;
    const [progress, pause] = await Promise.all([executions.progress(jobId), facts.pauseOf(jobId)]);
    if (!progress) return { receipt: null };
    const state = `${progress.revision} ${pause?.since.getTime()}`;
    const known = this.made.get(jobId);
    if (known && this.holds(known, state, progress)) return { receipt: known.receipt };
    return { receipt: await this.making.run(`${jobId} ${state}`, () => this.make(jobId, state)) };
  }

  private holds({ state, madeAtMs }: MadeReceipt, now: string, { endedAt }: ExecutionProgress): boolean {
    return state === now && (endedAt !== null || this.clock.now() - madeAtMs < ACTIVE_KEPT_MS);
  }

  private async make(jobId: string, state: string): Promise<Receipt | null> {
    const { executions, transactions, pauses: log, facts } = this.records;
    const madeAtMs = this.clock.now();
    const execution = await executions.find(jobId);
    if (!execution) return null;
    const [fee, others, pauses, byOperator] = await Promise.all([
      transactions.ofPurposes(jobId, ['fee']),
      transactions.newest(jobId, ['delivery', 'refund', 'return'], MOST_RECEIPT_TRANSFERS - 1),
      log.newest(execution, MOST_RECEIPT_PAUSES),
      facts.pauseOf(jobId),
    ]);
    const receipt = buildReceipt(execution, {
      transfers: [...fee, ...others.transactions],
      transfersInAll: fee.length + others.inAll,
      ...pauses,
      byOperator,
    });
    this.made.set(jobId, { receipt, state, madeAtMs });
    return receipt;
  }
}
