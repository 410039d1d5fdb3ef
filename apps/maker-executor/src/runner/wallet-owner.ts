import { randomUUID } from 'node:crypto';
import type { BlockHead } from '@maker/chain';
import { ALL_JOBS, type Execution, type Fact } from '@maker/execution-records';
import { type Lease, LeaseLostError, Leases } from '@maker/persistence';
import { Logger, PeriodicTask, runWithRequestId, type Watched, watchdog } from '@maker/service-kit';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { MAKER_CONFIGURATION, type MakerConfiguration } from '../configuration.ts';
import { MakerMetrics } from '../metrics/maker.metrics.ts';
import { Apply } from './apply.ts';
import { surplusOf } from './fair-share.ts';
import { SessionRunner } from './session-runner.ts';
import { TickSources } from './tick-sources.ts';

/** Time between two searches for expired leases, while other replicas own wallets, ms. */
const CLAIM_PAUSE_MS = 500;

/** The same while this replica owns all wallets, ms. New work wakes the search, unless its replica died before it claimed. */
const NOTHING_TO_CLAIM_PAUSE_MS = 15_000;

/** Wallets claimed at a time, so that replicas that start together share them. */
const CLAIMED_AT_ONCE = 4;

/** Wallets handed over at a time: no more than other replicas claim before the next hand-over. */
const HANDED_OVER_AT_ONCE = 16;

/** Prefix of the leases by which replicas count each other. */
const REPLICA = 'replica/';

/** Time before an expired lease of a replica is removed, ms: a replica that was blocked for less can renew its lease. */
const PRESENCE_KEPT_MS = 3_600_000;

/** Time within which an execution without room asks again, unless something else delays it, ms of the chain's clock. */
const ROOM_ASKED_AGAIN_MS = 10_000;

const leaseName = ({ walletAddress }: Pick<Execution, 'walletAddress'>) => `wallet/${walletAddress}`;

/**
 * Distributes executions among replicas: acquires free leases of wallets, renews its own leases, and runs their executions. When
 * a process dies, others take over after its leases expire. A new replica is handed its share. Source: design §§ 5 and 10.
 */
@Injectable()
export class WalletOwner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  /** The session registry: the only state of this process that is kept by job. */
  private readonly runners = new Map<string, SessionRunner>();
  private readonly claiming: PeriodicTask;
  private readonly renewing: PeriodicTask;
  private readonly ttlMs: number;
  /** Lease that counts this replica as running. It is held only while the replica reads blocks: without blocks it runs no ticks. */
  private presence: Lease | undefined;
  private hasReadBlock = false;
  /** Number of executions at work, of all replicas, at the last read. */
  private active = 0;
  /** Jobs handed over. This replica does not claim them again before it next compares shares. */
  private handedOver: ReadonlySet<string> = new Set();
  private handingOver: Promise<void> = Promise.resolve();
  private feedWatched: Watched | undefined;

  constructor(
    @Inject(MAKER_CONFIGURATION) configuration: MakerConfiguration,
    private readonly leases: Leases,
    private readonly sources: TickSources,
    private readonly apply: Apply,
    private readonly metrics: MakerMetrics,
    private readonly logger: Logger,
  ) {
    this.ttlMs = configuration.MAKER_LEASE_SECONDS * 1000;
    this.claiming = new PeriodicTask('claim wallets', CLAIM_PAUSE_MS, logger, () => this.claim());
    this.renewing = new PeriodicTask('renew wallet leases', Math.floor(this.ttlMs / 3), logger, () => this.renew());
  }

  onApplicationBootstrap(): void {
    this.sources.database.onWork(() => this.claiming.wake());
    this.metrics.room.count = () => this.countWithoutRoom();
    this.feed.listen((head) => this.onHead(head));
    const watched = watchdog.watch('newest block');
    this.feedWatched = watched;
    this.feed.start(() => watched.cameRound());
    this.claiming.start();
    this.renewing.start();
  }

  /** Finishes the running ticks and releases the leases, so that another replica can continue immediately. */
  async beforeApplicationShutdown(): Promise<void> {
    this.feedWatched?.end();
    await Promise.all([this.claiming.stop(), this.renewing.stop(), this.feed.stop()]);
    await this.releasePresence();
    await Promise.all([this.releaseAll([...this.runners]), this.handingOver]);
  }

  private get feed() {
    return this.sources.feed;
  }

  private onHead(head: BlockHead): void {
    this.hasReadBlock = true;
    this.metrics.head(head);
    this.metrics.wallets(this.runners.size);
    if (this.runners.size > 0) this.tick([...this.runners], head);
  }

  /** Starts ticks. One request reads the facts of all their executions. */
  private tick(runners: readonly (readonly [jobId: string, runner: SessionRunner])[], head: BlockHead): void {
    const facts = this.sources.database.facts.of(runners.map(([jobId]) => jobId));
    for (const [jobId, runner] of runners) runner.onHead(head, concerning(jobId, facts));
  }

  private countWithoutRoom(): number {
    const since = this.feed.chainNowMs - ROOM_ASKED_AGAIN_MS;
    return [...this.runners.values()].filter(({ noRoomAtMs }) => noRoomAtMs !== null && noRoomAtMs >= since).length;
  }

  /** @returns the pause before the next claim, ms */
  private async claim(): Promise<number> {
    const { executions, facts } = this.sources.database;
    const atWork = await executions.atWork(await facts.jobsAtWork());
    this.active = atWork.length;
    const others = atWork.filter(({ id }) => !this.runners.has(id) && !this.handedOver.has(id));
    if (others.length === 0) return this.handedOver.size > 0 ? CLAIM_PAUSE_MS : NOTHING_TO_CLAIM_PAUSE_MS;
    const held = await this.leases.held(others.map(leaseName));
    let claimed = 0;
    for (const wallet of others) {
      if (claimed === CLAIMED_AT_ONCE) break;
      if (held.has(leaseName(wallet))) continue;
      const lease = await this.leases.acquire(leaseName(wallet), this.ttlMs);
      if (!lease) continue;
      claimed += 1;
      const execution = await executions.find(wallet.id);
      if (execution) this.run(execution, lease);
    }
    return CLAIM_PAUSE_MS;
  }

  private run(execution: Execution, lease: Lease): void {
    const { id: jobId, phase, origin } = execution;
    const { sources, apply, metrics, logger } = this;
    const runner = new SessionRunner(lease, execution, { sources, apply, metrics, logger }, (end) => {
      this.forget(jobId, runner);
      if (end === 'lease_lost') return this.lost(jobId);
      this.leases.release(lease).catch((error: unknown) => logger.warn({ err: error, jobId }, 'lease not released'));
    });
    this.runners.set(jobId, runner);
    runWithRequestId(origin?.requestId, () => logger.info({ jobId, phase, token: lease.token }, 'execution claimed'));
    if (this.feed.head) this.tick([[jobId, runner]], this.feed.head);
  }

  private async renew(): Promise<void> {
    const runners = [...this.runners];
    const leases = runners.map(([, { lease }]) => lease);
    const lost = new Set(await this.leases.renewAll(leases, this.ttlMs));
    for (const [jobId, runner] of runners) {
      if (!lost.has(runner.lease)) continue;
      this.forget(jobId, runner);
      this.lost(jobId);
      // Not awaited: its tick may take long, and the other leases must be renewed.
      void runner.stop();
    }
    if (this.hasReadBlock) await this.renewPresence();
    else await this.releasePresence();
    this.hasReadBlock = false;
    await this.handOverSurplus();
  }

  /** Hands over wallets beyond this replica's share, the youngest first. A new replica would find no free wallet otherwise. */
  private async handOverSurplus(): Promise<void> {
    const owned = this.runners.size;
    const surplus = owned === 0 ? 0 : surplusOf(owned, this.active, await this.leases.countHeld(REPLICA));
    const youngest = [...this.runners].reverse().slice(0, Math.min(surplus, HANDED_OVER_AT_ONCE));
    this.handedOver = new Set(youngest.map(([jobId]) => jobId));
    const wallets = youngest.length;
    if (wallets === 0) return;
    this.logger.info({ wallets }, 'wallets beyond this replica’s share handed over');
    // Lists work soon, so that this replica claims again wallets that no other replica claims.
    this.claiming.wake();
    // Not awaited: a tick may take long, and the other leases must be renewed.
    const before = this.handingOver;
    this.handingOver = this.releaseAll(youngest)
      .catch((error: unknown) => this.logger.warn({ err: error, wallets }, 'leases not released; they expire'))
      .then(() => before);
  }

  private async renewPresence(): Promise<void> {
    try {
      if (this.presence) await this.leases.renew(this.presence, this.ttlMs);
    } catch (error) {
      if (!(error instanceof LeaseLostError)) throw error;
      this.presence = undefined;
    }
    if (this.presence) return;
    this.presence = await this.leases.acquire(`${REPLICA}${randomUUID()}`, this.ttlMs);
    await this.leases.removeExpired(REPLICA, PRESENCE_KEPT_MS);
  }

  private async releasePresence(): Promise<void> {
    if (this.presence) await this.leases.release(this.presence);
    this.presence = undefined;
  }

  /** Finishes the running ticks of some wallets and releases their leases. */
  private async releaseAll(runners: readonly (readonly [jobId: string, runner: SessionRunner])[]): Promise<void> {
    for (const [jobId] of runners) this.runners.delete(jobId);
    await Promise.all(
      runners.map(async ([, runner]) => {
        await runner.stop();
        await this.leases.release(runner.lease);
      }),
    );
  }

  /** Removes a runner, unless a new one has replaced it. Wakes the search for work, as the job may have new or remaining work. */
  private forget(jobId: string, runner: SessionRunner): void {
    if (this.runners.get(jobId) === runner) this.runners.delete(jobId);
    this.claiming.wake();
  }

  private lost(jobId: string): void {
    this.metrics.leaseLost();
    this.logger.warn({ jobId }, 'wallet lost to another process');
  }
}

async function concerning(
  jobId: string,
  facts: Promise<ReadonlyMap<string, readonly Fact[]>>,
): Promise<readonly Fact[]> {
  const byJob = await facts;
  return [...(byJob.get(jobId) ?? []), ...(byJob.get(ALL_JOBS) ?? [])];
}
