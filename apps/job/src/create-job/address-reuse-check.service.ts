import { setImmediate } from 'node:timers/promises';
import { findUsedAddresses } from '@maker/contracts';
import { RequestClient, RequestFailure } from '@maker/messaging';
import { Logger, Readiness } from '@maker/service-kit';
import { walletAddresses } from '@maker/signing/derivation';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { JOB_CONFIGURATION, type JobConfiguration } from '../configuration.ts';
import { JobsRepository } from '../job/jobs.repository.ts';
import { JobMetrics } from '../job.metrics.ts';

/** Number of checked wallets ahead of the counter, like the gap limit of BIP-44: visitors may leave so many unpaid in a row. */
const WALLETS_AHEAD = 100;

/** Wallets derived in one turn of the event loop. One takes 1 to 2 ms, and requests are answered between the turns. */
const DERIVED_AT_ONCE = 10;

/** No job is created, because its wallet may belong to another job. The message hides the reason from the visitor. */
export class WalletCounterBehind extends RequestFailure {
  constructor() {
    super('SERVICE_UNAVAILABLE', 'New jobs cannot be taken at the moment. Please try again later.');
  }
}

/**
 * Prevents that two jobs get the same address. Only the database has the counter, so after a loss or a restore from an old
 * backup, the counter would name wallets that hold or receive money of other payers. The check reads the chain:
 * once per process, before the first job, all wallets ahead of the counter must be unused.
 */
@Injectable()
export class AddressReuseCheckService implements OnApplicationBootstrap {
  private passed: Promise<void> | undefined;
  private usedIndex: number | undefined;

  constructor(
    @Inject(JOB_CONFIGURATION) private readonly configuration: JobConfiguration,
    private readonly logger: Logger,
    private readonly jobs: JobsRepository,
    private readonly requests: RequestClient,
    private readonly metrics: JobMetrics,
    readiness: Readiness,
  ) {
    readiness.add('wallet counter', () => {
      if (this.usedIndex !== undefined) throw new Error(`wallet ${this.usedIndex} is in use ahead of the counter`);
    });
  }

  /** Begins early, so that no visitor waits for the check. If it fails, the first job repeats it. */
  onApplicationBootstrap(): void {
    void this.assertNoReuse().catch((error: unknown) =>
      this.logger.debug({ err: error }, 'wallet counter not checked yet'),
    );
  }

  /** @throws WalletCounterBehind @throws RequestFailedError if token-validation cannot read the chain */
  assertNoReuse(): Promise<void> {
    this.passed ??= this.check().catch((error: unknown) => {
      this.passed = undefined;
      throw error;
    });
    return this.passed;
  }

  private async check(): Promise<void> {
    const first = await this.jobs.nextWalletIndex();
    const indexes = await this.indexesFrom(first);
    const { used } = await this.requests.request(findUsedAddresses, { addresses: [...indexes.keys()] });
    // Jobs that another replica created since may have been paid already.
    const next = await this.jobs.nextWalletIndex();
    this.usedIndex = used.flatMap((address) => indexes.get(address) ?? []).findLast((index) => index >= next);
    if (this.usedIndex === undefined) return;
    this.metrics.walletCounterBehind();
    this.logger.error(
      { usedIndex: this.usedIndex, nextIndex: next },
      'wallet counter behind the chain, no job is created: the database is not the one that assigned the used wallet. See docs/runbooks/recovery-drill.md',
    );
    throw new WalletCounterBehind();
  }

  /** Indexes of the wallets from an index on, by address in lower case. */
  private async indexesFrom(first: number): Promise<ReadonlyMap<string, number>> {
    const addressAt = walletAddresses(this.configuration.JOB_ACCOUNT_XPUB);
    const indexes = new Map<string, number>();
    for (let index = first; index < first + WALLETS_AHEAD; index++) {
      indexes.set(addressAt(index).toLowerCase(), index);
      if (index % DERIVED_AT_ONCE === 0) await setImmediate();
    }
    return indexes;
  }
}
