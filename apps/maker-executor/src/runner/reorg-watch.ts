import { HeadFeed } from '@maker/chain';
import { inTransaction } from '@maker/persistence';
import { type CameRound, Logger, PeriodicTask, SteadyClock } from '@maker/service-kit';
import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ChainAccess } from '../chain/chain-access.ts';
import { MakerDatabase } from '../database.ts';

const PAUSE_MS = 5000;

/** Longest time between two checks, ms. The feed may miss a reorganisation if it does not read every block. */
const LONGEST_BETWEEN_CHECKS_MS = 60_000;

/**
 * Finds blocks with final transactions that have left the chain, at any depth, also while no process ran. After each
 * reorganisation, at the start and once a minute, it compares these blocks with the chain, from the newest down to the first one
 * that still stands. Facts make the owner of each affected execution settle it.
 */
@Injectable()
export class ReorgWatch implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly task: PeriodicTask;
  private isDue = true;
  private checkedAtMs = 0;

  constructor(
    private readonly database: MakerDatabase,
    private readonly chain: ChainAccess,
    private readonly feed: HeadFeed,
    private readonly clock: SteadyClock,
    private readonly logger: Logger,
  ) {
    this.task = new PeriodicTask('reorganisation check', PAUSE_MS, logger, (cameRound) => this.tick(cameRound));
  }

  onApplicationBootstrap(): void {
    this.feed.listenToReorgs(() => {
      this.isDue = true;
      this.task.wake();
    });
    this.task.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.task.stop();
  }

  private async tick(cameRound: CameRound): Promise<void> {
    if (!this.isDue && this.clock.now() - this.checkedAtMs < LONGEST_BETWEEN_CHECKS_MS) return;
    this.isDue = false;
    this.checkedAtMs = this.clock.now();
    try {
      await this.compare(cameRound);
    } catch (error) {
      this.isDue = true;
      throw error;
    }
  }

  private async compare(cameRound: CameRound): Promise<void> {
    const affected = new Set<string>();
    let isSame = true;
    for await (const { jobId, inclusion } of this.database.transactions.finalFromNewest()) {
      cameRound();
      if (!inclusion) continue;
      const { blockNumber, blockHash } = inclusion;
      isSame = (await this.chain.blockHash(blockNumber, blockHash)) === blockHash;
      // Each block names its parent, so all blocks below stand too.
      if (isSame) break;
      affected.add(jobId);
    }
    if (affected.size === 0) return;
    this.logger.error({ executions: [...affected] }, 'blocks with final transactions reorganised');
    for (const jobId of affected) {
      await inTransaction(this.database.connection, async (session) => {
        await this.database.facts.record(jobId, 'recheck', session);
        await this.database.facts.record(jobId, 'settle', session);
      });
    }
  }
}
