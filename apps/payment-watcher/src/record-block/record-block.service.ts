import type { BlockPointer, ScannedBlock, ScannedGap, ScannedReorg } from '@maker/chain';
import type { Lease } from '@maker/persistence';
import { isDust } from '@maker/rules';
import { Logger } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import { DISPLACED_FOR_BLOCKS } from '../deposit/deposit.ts';
import { DepositsRepository } from '../deposit/deposits.repository.ts';
import { DustRepository } from '../deposit/dust.repository.ts';
import { logDeposit } from '../deposit/log-deposit.ts';
import { PublishSeenService } from '../deposit/publish-seen.service.ts';
import { PaymentWatcherMetrics } from '../payment-watcher.metrics.ts';
import { FencedWrites } from '../scan/fenced-writes.ts';
import type { ScanState } from '../scan/scan-state.ts';
import { WatchesRepository } from '../watch/watches.repository.ts';
import { addressesIn, isEmpty, limitMentions, recordBlock, spends } from './record-block.ts';

/** Blocks between two checks for watches that another replica registered. */
const CHECK_FOR_NEW_EVERY_BLOCKS = 5;

/** Starts a scan and saves its events. Saves mentions separately, as hints. */
@Injectable()
export class RecordBlockService {
  constructor(
    private readonly writes: FencedWrites,
    private readonly watches: WatchesRepository,
    private readonly deposits: DepositsRepository,
    private readonly dust: DustRepository,
    private readonly seen: PublishSeenService,
    private readonly metrics: PaymentWatcherMetrics,
    private readonly logger: Logger,
  ) {}

  /** Starts a scan at the saved cursor with empty caches, because another process may have written. @throws LeaseLostError */
  async begin(lease: Lease): Promise<ScanState> {
    const state = await this.writes.begin(lease);
    this.deposits.invalidateCache();
    this.watches.invalidateCache();
    for (const address of await this.watches.watchedAddresses()) state.watched.add(address);
    return state;
  }

  async block(state: ScanState, scanned: ScannedBlock): Promise<void> {
    const { block } = scanned;
    const { kept, alsoRead } = limitMentions(scanned);
    const watches = await this.watches.findMany(addressesIn(kept));
    const record = recordBlock(kept, watches);
    const { payments = [], dust = [] } = Object.groupBy(record.deposits, ({ amountWei }) =>
      isDust(amountWei) ? 'dust' : 'payments',
    );
    const spending = new Set(
      dust.map(({ address }) => address).filter((address) => spends(watches.get(address), scanned)),
    );
    state.advance(block);
    if (isEmpty(record)) await this.writes.afterEmptyBlock(state);
    else
      await this.writes.run(state, async (session) => {
        const seen = [...payments, ...(await this.dust.add(dust, block.number, session, spending))];
        await this.seen.publish(await this.deposits.insertSeen(seen, session), session);
        if (record.spending.length > 0) await this.watches.markSpending(record.spending, block.number, session);
      });
    // Mentions are hints: a lost one leaves a payment without its transaction, and delays no block.
    await this.watches.addMentions(record.mentions);
    for (const address of [...record.mentions.map((mention) => mention.address), ...alsoRead])
      state.toRead.add(address);
    for (const deposit of payments)
      logDeposit(this.logger, deposit, watches.get(deposit.address), block.number, 'payment seen');
    for (const { transactionHash, to } of scanned.unproven ?? []) {
      const jobId = watches.get(to)?.jobId;
      this.logger.error(
        { jobId, transactionHash, block: block.number },
        'transfer unproven, no signature proves it or no receipt shows it',
      );
    }
    await this.takeOverNew(state, block);
    this.metrics.scanned(block, scanned.headNumber, state.watched.size);
  }

  /** Scans new watches from the next block on; a balance reading finds earlier money. */
  private async takeOverNew(state: ScanState, block: BlockPointer): Promise<void> {
    const isDue = block.number >= state.nextCheckForNewAtBlock;
    if (isDue) state.nextCheckForNewAtBlock = block.number + CHECK_FOR_NEW_EVERY_BLOCKS;
    const addresses = await this.watches.newAddresses(isDue);
    if (addresses.length === 0) return;
    await this.writes.run(state, (session) => this.watches.takeOver(addresses, block.number + 1, session));
    for (const address of addresses) {
      state.watched.add(address);
      state.toRead.add(address);
    }
  }

  async reorg(state: ScanState, { commonAncestor }: ScannedReorg): Promise<void> {
    const from = state.blocks.at(-1)?.number ?? commonAncestor.number;
    state.rewind(commonAncestor);
    const displaced = await this.writes.run(state, async (session) => {
      await this.watches.rewind(commonAncestor.number, session);
      await this.dust.rewind(commonAncestor.number, session);
      const rewound = await this.deposits.rewind(commonAncestor.number, from + DISPLACED_FOR_BLOCKS, session);
      await this.seen.publish(rewound.addresses, session);
      return rewound.displaced;
    });
    this.metrics.reorganised();
    this.logger.warn({ from, commonAncestor: commonAncestor.number }, 'chain reorganised');
    if (displaced.length > 0) {
      this.logger.warn(
        { deposits: displaced },
        'blocks of credited payments reorganised, checking whether the payments are mined again',
      );
    }
  }

  gap(state: ScanState, { fromBlock, toBlock }: ScannedGap): void {
    state.nextPollAtMs = 0;
    this.metrics.missedBlocks(toBlock - fromBlock + 1);
    this.logger.error(
      { fromBlock, toBlock },
      'blocks missed, the node no longer has them; payments in them are found by balance, without a sender',
    );
  }
}
