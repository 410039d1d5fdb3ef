import { setImmediate } from 'node:timers/promises';
import { findUsedAddresses } from '@maker/contracts';
import { RequestClient, RequestFailure } from '@maker/messaging';
import { Logger, Readiness } from '@maker/service-kit';
import { walletAddresses } from '@maker/signing/derivation';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { JOB_CONFIGURATION, type JobConfiguration } from '../configuration.ts';
import { JobsRepository } from '../job/jobs.repository.ts';
import { JobMetrics } from '../job.metrics.ts';

/** Wallets ahead of the counter that are checked, like the gap limit of BIP-44: as many as visitors may have left unpaid in a row. */
const WALLETS_AHEAD = 100;

/** Deriving one takes a millisecond or two; requests are answered in between. */
const DERIVED_AT_ONCE = 10;

/** No job is created, since its wallet could have been another's. The visitor is told no more than that. */
export class WalletCounterBehind extends RequestFailure {
  constructor() {
    super('SERVICE_UNAVAILABLE', 'New jobs cannot be taken at the moment. Please try again later.');
  }
}

/**
 * Keeps an address from being given to a second job. The counter lives in the database alone, so a database that was lost
 * or restored from an old backup would give away wallets that hold, or get, somebody else's money. The chain knows better:
 * once per process, before the first job, no wallet ahead of the counter may have been used.
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

  /** Begins early, so that no visitor waits for it; where it fails, the first job asks again. */
  onApplicationBootstrap(): void {
    void this.assertNoReuse().catch((error: unknown) =>
      this.logger.debug({ err: error }, 'wallet counter not checked yet'),
    );
  }

  /** @throws WalletCounterBehind @throws RequestFailedError when nobody can tell what the chain knows */
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

  /** Wallets from an index on: their indexes by their addresses, in lower case. */
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
