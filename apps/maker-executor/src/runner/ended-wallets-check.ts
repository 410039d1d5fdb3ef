import { expectedBalance } from '@maker/execution-records';
import { inTransaction } from '@maker/persistence';
import { WATCH_AFTER_END_MS } from '@maker/rules';
import { Clock, Logger, PeriodicTask } from '@maker/service-kit';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ChainAccess } from '../chain/chain-access.ts';
import { MAKER_CONFIGURATION, type MakerConfiguration } from '../configuration.ts';
import { MakerDatabase } from '../database.ts';

/** Longest time between two checks, ms. All wallets need only a few calls together, so this can be short. */
const LONGEST_PAUSE_MS = 20_000;

/**
 * Compares ledger and chain after a job's end, while its address is watched: all wallets in a few calls. If a wallet differs, a
 * fact starts its owner, which books, returns, reports or stops. This finds money that no scan of blocks finds: transfers inside
 * contracts to a wallet that has spent. Source: design §§ 4 and 5.
 */
@Injectable()
export class EndedWalletsCheck implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly task: PeriodicTask;

  constructor(
    @Inject(MAKER_CONFIGURATION) configuration: MakerConfiguration,
    private readonly database: MakerDatabase,
    private readonly chain: ChainAccess,
    private readonly clock: Clock,
    logger: Logger,
  ) {
    const pauseMs = Math.min(configuration.MAKER_RECONCILE_SECONDS * 1000, LONGEST_PAUSE_MS);
    this.task = new PeriodicTask('ended wallets check', pauseMs, logger, () => this.tick());
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.task.stop();
  }

  private async tick(): Promise<void> {
    const { executions, facts, connection } = this.database;
    const ended = await executions.endedSince(new Date(this.clock.now() - WATCH_AFTER_END_MS));
    const settling = new Set(await facts.jobsAtWork(['settle']));
    const balances = await this.chain.balances(ended.map(({ walletAddress }) => walletAddress));
    for (const { id, walletAddress, totals } of ended) {
      const balanceWei = balances.get(walletAddress);
      if (balanceWei === undefined || balanceWei === expectedBalance(totals) || settling.has(id)) continue;
      await inTransaction(connection, (session) => facts.record(id, 'settle', session));
    }
  }
}
