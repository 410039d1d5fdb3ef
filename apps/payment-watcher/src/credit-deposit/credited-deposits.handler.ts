import { listCreditedDeposits, MOST_DEPOSITS_LISTED } from '@maker/contracts';
import { HandleRequest } from '@maker/messaging';
import { Controller, Inject } from '@nestjs/common';
import type { z } from 'zod';
import { PAYMENT_WATCHER_CONFIGURATION, type PaymentWatcherConfiguration } from '../configuration.ts';
import { DepositsRepository } from '../deposit/deposits.repository.ts';
import { DustRepository } from '../deposit/dust.repository.ts';
import { CursorRepository } from '../scan/cursor.repository.ts';
import { WatchesRepository } from '../watch/watches.repository.ts';
import { toCredited } from './deposit-event.ts';

/** Answers with the credited deposits of a job, and the block up to which they contain every transaction. */
@Controller()
export class CreditedDepositsHandler {
  constructor(
    private readonly watches: WatchesRepository,
    private readonly deposits: DepositsRepository,
    private readonly dust: DustRepository,
    private readonly cursor: CursorRepository,
    @Inject(PAYMENT_WATCHER_CONFIGURATION) private readonly configuration: PaymentWatcherConfiguration,
  ) {}

  @HandleRequest(listCreditedDeposits)
  async list({ jobId, after = '' }: z.output<typeof listCreditedDeposits.request>) {
    const watch = await this.watches.findByJob(jobId);
    if (watch?.scannedFromBlock == null) return { completeToBlock: -1, deposits: [] };
    // The order matters: blocks scanned after the first read can only add deposits.
    const { blocks } = await this.cursor.read();
    const confirmed = blocks.at(-1 - this.configuration.CHAIN_CONFIRMATIONS)?.number ?? -1;
    const undecided = await this.deposits.firstUndecidedBlock(watch.address);
    const dustWei = await this.dust.sumOf(watch.address);
    const credited = await this.deposits.creditedAfter(watch.address, after, MOST_DEPOSITS_LISTED);
    return {
      completeToBlock: undecided === undefined ? confirmed : Math.min(confirmed, undecided - 1),
      deposits: credited.map(toCredited),
      ...(dustWei > 0n && { dustWei: dustWei.toString() }),
    };
  }
}
