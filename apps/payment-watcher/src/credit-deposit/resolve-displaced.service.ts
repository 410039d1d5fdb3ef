import type { BlockPointer } from '@maker/chain';
import { paymentDropped } from '@maker/contracts';
import { Outbox } from '@maker/messaging';
import { Logger } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import { DepositsRepository } from '../deposit/deposits.repository.ts';
import { PaymentWatcherMetrics } from '../payment-watcher.metrics.ts';
import { FencedWrites } from '../scan/fenced-writes.ts';
import type { ScanState } from '../scan/scan-state.ts';
import { WatchesRepository } from '../watch/watches.repository.ts';
import { depositEvent } from './deposit-event.ts';
import { judgeDisplaced } from './judge-displaced.ts';

/** Decides once about each credited deposit whose block left the chain and that was not found again. */
@Injectable()
export class ResolveDisplacedService {
  constructor(
    private readonly writes: FencedWrites,
    private readonly deposits: DepositsRepository,
    private readonly watches: WatchesRepository,
    private readonly outbox: Outbox,
    private readonly metrics: PaymentWatcherMetrics,
    private readonly logger: Logger,
  ) {}

  /** Called after each scanned block. */
  async afterBlock(state: ScanState, block: BlockPointer): Promise<void> {
    const overdue = await this.deposits.overdue(block.number);
    if (overdue.length === 0) return;
    const watches = await this.watches.findMany(overdue.map(({ address }) => address));
    for (const deposit of overdue) {
      const verdict = judgeDisplaced(deposit, watches.get(deposit.address));
      if (verdict === 'read_balance') {
        state.toRead.add(deposit.address);
        continue;
      }
      const { jobId, depositId } = deposit;
      const settled = await this.writes.run(state, async (session) => {
        if (!(await this.deposits.settleDisplaced(depositId, verdict, session))) return false;
        if (verdict === 'dropped') {
          await this.outbox.record(paymentDropped, { jobId, data: depositEvent(deposit) }, session);
        }
        return true;
      });
      if (!settled || verdict !== 'dropped') continue;
      this.metrics.droppedOne();
      this.logger.error(
        { jobId, depositId, amountWei: deposit.amountWei.toString(), block: deposit.blockNumber },
        'credited payment dropped from the chain',
      );
    }
  }
}
