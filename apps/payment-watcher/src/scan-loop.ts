import { setTimeout as wait } from 'node:timers/promises';
import {
  BalanceReader,
  type ChainClient,
  hostsOf,
  type RpcRequest,
  type ScanEvent,
  scanBlocks,
  verifyChainId,
} from '@maker/chain';
import { type Lease, LeaseLostError, Leases } from '@maker/persistence';
import { Logger, PeriodicTask, Readiness } from '@maker/service-kit';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { AnnounceDeadlineService } from './announce-deadline/announce-deadline.service.ts';
import { DepositDustService } from './announce-deadline/deposit-dust.service.ts';
import { CHAIN_CLIENT, CHAIN_REQUEST, pollEveryMs } from './chain-client.ts';
import { ChainClockService } from './chain-clock/chain-clock.service.ts';
import { ChainReach } from './chain-reach.ts';
import { PAYMENT_WATCHER_CONFIGURATION, type PaymentWatcherConfiguration } from './configuration.ts';
import { CreditDepositService } from './credit-deposit/credit-deposit.service.ts';
import { ResolveDisplacedService } from './credit-deposit/resolve-displaced.service.ts';
import { WrongAssetSearches } from './find-wrong-assets/wrong-asset-searches.ts';
import { PaymentWatcherMetrics } from './payment-watcher.metrics.ts';
import { ExplainBalanceService } from './poll-balances/explain-balance.service.ts';
import { PollBalancesService } from './poll-balances/poll-balances.service.ts';
import { RecordBlockService } from './record-block/record-block.service.ts';
import type { ScanState } from './scan/scan-state.ts';
import { SearchTransfersService } from './search-transfers/search-transfers.service.ts';

const LEASE = 'scanner';
const LEASE_TTL_MS = 6000;
const LEASE_RENEW_MS = 3000;
const LEASE_RENEW_AGAIN_MS = 500;
const RETRY_MS = 1000;
/** Time between two tries of a standby to get the lease: several in a block, because payments wait while no replica scans. */
const STAND_BY_MS = 200;

/** Blocks between two readings of named addresses if requests are scarce: the scan of each block leaves no more. */
const SPARING_BLOCKS_OF_NAMED = 15;

/**
 * The one active scanner: takes the lease, scans from the saved cursor, and after each block polls balances, credits and
 * announces deadlines, in sequence. A failure ends the scan; the next scan starts from the cursor.
 * A replica without the lease stands by with a probed endpoint, and scans when the lease is free. Source: design § 10.
 */
@Injectable()
export class ScanLoop implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly task: PeriodicTask;
  private readonly shutdown = new AbortController();
  private failure: string | undefined;
  private probed = false;
  private turn = Promise.resolve();

  constructor(
    private readonly leases: Leases,
    private readonly recorder: RecordBlockService,
    private readonly balances: PollBalancesService,
    private readonly clock: ChainClockService,
    private readonly searches: SearchTransfersService,
    private readonly explainer: ExplainBalanceService,
    private readonly displaced: ResolveDisplacedService,
    private readonly crediting: CreditDepositService,
    private readonly dust: DepositDustService,
    private readonly deadlines: AnnounceDeadlineService,
    private readonly wrongAssets: WrongAssetSearches,
    private readonly reader: BalanceReader,
    private readonly metrics: PaymentWatcherMetrics,
    readiness: Readiness,
    @Inject(CHAIN_CLIENT) private readonly client: ChainClient,
    @Inject(CHAIN_REQUEST) private readonly request: RpcRequest,
    private readonly reach: ChainReach,
    private readonly logger: Logger,
    @Inject(PAYMENT_WATCHER_CONFIGURATION) private readonly configuration: PaymentWatcherConfiguration,
  ) {
    this.task = new PeriodicTask('block scan', RETRY_MS, logger, (cameRound) => this.scanWhileLeaseHeld(cameRound));
    readiness.add('chain', () => {
      if (this.failure) throw new Error(this.failure);
    });
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.shutdown.abort();
    await this.task.stop();
  }

  private async scanWhileLeaseHeld(cameRound: () => void): Promise<void> {
    // Where requests are scarce, a block with many payments takes minutes.
    this.reach.onRequest = cameRound;
    try {
      await this.probeOnce();
      const lease = await this.standBy(cameRound);
      if (lease) await this.scanWith(lease, cameRound);
      this.failure = undefined;
    } catch (error) {
      this.failure = error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
      throw error;
    }
  }

  /** Probes before it requests the lease, because no replica would scan during the probe. */
  private async probeOnce(): Promise<void> {
    if (this.probed) return;
    const addressesPerCall = await this.reader.probe();
    this.probed = true;
    this.logger.info({ addressesPerCall }, 'balance call sized');
  }

  /** Waits for the lease. @returns undefined if the service stops first */
  private async standBy(cameRound: () => void): Promise<Lease | undefined> {
    while (!this.shutdown.signal.aborted) {
      const lease = await this.leases.acquire(LEASE, LEASE_TTL_MS);
      if (lease) return lease;
      this.failure = undefined;
      cameRound();
      await wait(STAND_BY_MS);
    }
    return;
  }

  private async scanWith(lease: Lease, cameRound: () => void): Promise<void> {
    const lost = new AbortController();
    const renewal = this.renewing(lease, lost);
    renewal.start();
    this.metrics.scanning(true);
    try {
      await this.scan(lease, AbortSignal.any([this.shutdown.signal, lost.signal]), cameRound);
    } finally {
      this.metrics.scanning(false);
      await renewal.stop();
      await this.leases.release(lease);
    }
  }

  private renewing(lease: Lease, lost: AbortController): PeriodicTask {
    const renew = async () => {
      try {
        await this.leases.renew(lease, LEASE_TTL_MS);
      } catch (error) {
        if (!(error instanceof LeaseLostError)) throw error;
        this.logger.warn('scan lease lost to another replica');
        lost.abort();
      }
    };
    return new PeriodicTask('scanner lease', LEASE_RENEW_MS, this.logger, renew, LEASE_RENEW_AGAIN_MS);
  }

  private async scan(lease: Lease, signal: AbortSignal, onRound: () => void): Promise<void> {
    await verifyChainId(this.client, this.configuration.CHAIN_ID);
    const state = await this.recorder.begin(lease);
    if (pollEveryMs(this.configuration) !== undefined) state.namedEveryBlocks = SPARING_BLOCKS_OF_NAMED;
    this.logger.info({ after: state.blocks.at(-1)?.number, watched: state.watched.size }, 'scan started');
    for await (const event of scanBlocks({
      request: this.request,
      watched: state.watched,
      after: state.blocks,
      signal,
      chainId: this.configuration.CHAIN_ID,
      hosts: () => hostsOf(this.client),
      pollEveryMs: pollEveryMs(this.configuration),
      onRound,
    })) {
      await this.inTurn(() => this.handle(state, event));
      if (state.failure) throw state.failure;
      this.failure = undefined;
    }
  }

  /** Runs work in sequence: a finished search writes the same data as the scanned blocks. */
  private inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.turn.then(work);
    this.turn = done.catch(() => undefined);
    return done;
  }

  private async handle(state: ScanState, event: ScanEvent): Promise<void> {
    switch (event.kind) {
      case 'block': {
        const block = this.clock.withTrustedTime(state, event.block);
        await this.recorder.block(state, { ...event, block });
        await this.balances.afterBlock(state, block);
        await this.displaced.afterBlock(state, block);
        await this.crediting.afterBlock(state, block);
        this.searches.step(state, (results) => this.inTurn(() => this.explainer.afterSearch(state, results)));
        if (!state.hasTime(event.block.number, event.headNumber)) return;
        await this.deadlines.afterBlock(state);
        this.wrongAssets.afterBlock();
        await this.dust.ofPastDays(state, block);
        return;
      }
      case 'reorg':
        return this.recorder.reorg(state, event);
      case 'gap':
        return this.recorder.gap(state, event);
    }
  }
}
