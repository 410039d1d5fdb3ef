import { HeadFeed } from '@maker/chain';
import { inTransaction } from '@maker/persistence';
import { Clock, Logger, PeriodicTask } from '@maker/service-kit';
import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ChainAccess } from '../chain/chain-access.ts';
import { MakerDatabase } from '../database.ts';

const PAUSE_MS = 5000;

/** Where not every block is read, a branching may go by unseen: one call a minute finds it. */
const LONGEST_BETWEEN_LOOKS_MS = 60_000;

/**
 * Notices that blocks with final transactions have left the chain, whatever the depth and also while no process ran:
 * after each branching, at the start and once a minute it compares the newest blocks that hold some with the chain, down to the first
 * that still stands. Each execution concerned is settled by its owner.
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
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {
    this.task = new PeriodicTask('reorganisation check', PAUSE_MS, logger, () => this.tick());
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

  private async tick(): Promise<void> {
    if (!this.isDue && this.clock.now() - this.checkedAtMs < LONGEST_BETWEEN_LOOKS_MS) return;
    this.isDue = false;
    this.checkedAtMs = this.clock.now();
    try {
      await this.compare();
    } catch (error) {
      this.isDue = true;
      throw error;
    }
  }

  private async compare(): Promise<void> {
    const concerned = new Set<string>();
    let isSame = true;
    for await (const { jobId, inclusion } of this.database.transactions.finalFromNewest()) {
      if (!inclusion) continue;
      const { blockNumber, blockHash } = inclusion;
      isSame = (await this.chain.blockHash(blockNumber, blockHash)) === blockHash;
      // Each block names its parent: those below stand as well.
      if (isSame) break;
      concerned.add(jobId);
    }
    if (concerned.size === 0) return;
    this.logger.error({ executions: [...concerned] }, 'blocks with final transactions reorganised');
    for (const jobId of concerned) {
      await inTransaction(this.database.connection, async (session) => {
        await this.database.facts.tell(jobId, 'recheck', session);
        await this.database.facts.tell(jobId, 'settle', session);
      });
    }
  }
}
