import { type Clock, SingleFlight, withinTime } from '@maker/service-kit';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import type { ThrottlerStorage } from '@nestjs/throttler';
import type { Logger } from 'pino';
import type { GatewayMetrics, RateLimitCounter } from '../gateway.metrics.ts';
import { BoundedWindows } from './bounded-windows.ts';
import type { SharedWindows } from './shared-windows.ts';

/** Longest that a request waits for the shared windows, ms. */
const CLAIM_TIMEOUT_MS = 200;
/** Time without asking the shared windows after they failed, ms. */
const PAUSE_MS = 5000;
/** Clients and routes held in memory. */
const MAX_WINDOWS = 50_000;

type Verdict = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/** This replica's share of a window that all replicas count together. */
interface Share {
  /** Requests that may still be let through without asking. */
  left: number;
  /** Requests that all replicas have claimed, as far as is known here. */
  readonly claimed: number;
  /** Nothing was left to claim. */
  readonly usedUp: boolean;
  readonly expiresAtMs: number;
}

/** A window that this replica counts on its own. */
interface OwnWindow {
  hits: number;
  readonly expiresAtMs: number;
}

/**
 * Counts requests for the rate limit, together with all replicas: each claims small shares of a window, so that most
 * requests cost no trip to the database, and never more than the limit is claimed in sum. While the database is away,
 * each replica counts on its own: a limit that is too wide for a time is no outage. Source: docs/adr/0018.
 */
export class RateLimitStorage implements ThrottlerStorage, OnApplicationBootstrap, OnApplicationShutdown {
  private readonly shares: BoundedWindows<Share>;
  private readonly own: BoundedWindows<OwnWindow>;
  /** One claim for all requests of a key that wait for it. */
  private readonly claims = new SingleFlight<void>();
  private pausedUntilMs = 0;
  private isAway = false;

  /** @param shared undefined where this gateway has no database */
  constructor(
    private readonly shared: SharedWindows | undefined,
    private readonly clock: Clock,
    private readonly metrics: GatewayMetrics,
    private readonly logger: Logger,
  ) {
    this.shares = new BoundedWindows(MAX_WINDOWS, () => clock.now());
    this.own = new BoundedWindows(MAX_WINDOWS, () => clock.now());
    if (!shared) logger.warn('MONGO_URL is not set: each replica counts requests for the rate limit on its own');
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.shared?.prepare();
  }

  /** Counts a request. @param windowMs length of a window, ms @param limit requests within a window */
  async increment(key: string, windowMs: number, limit: number): Promise<Verdict> {
    const shared = this.shared && (await this.takeOfShare(this.shared, key, windowMs, limit));
    return this.counted(shared ?? this.takeOfOwn(key, windowMs, limit), shared ? 'shared' : 'replica');
  }

  /**
   * Counts a request that is within the limit where that is known here and now; undefined, and nothing is counted, where it is
   * beyond it or the database has to be asked first. Parameters as of {@link increment}.
   */
  letThrough(key: string, windowMs: number, limit: number): Verdict | undefined {
    const share = this.shared && this.shares.get(key);
    if (share) {
      if (share.left <= 0) return undefined;
      return this.counted(this.takeOne(share, limit), 'shared');
    }
    if (this.shared && this.clock.now() >= this.pausedUntilMs) return undefined;
    if ((this.own.get(key)?.hits ?? 0) >= limit) return undefined;
    return this.counted(this.takeOfOwn(key, windowMs, limit), 'replica');
  }

  async onApplicationShutdown(): Promise<void> {
    await this.shared?.close();
  }

  /** Undefined while the shared windows are away. */
  private async takeOfShare(
    windows: SharedWindows,
    key: string,
    windowMs: number,
    limit: number,
  ): Promise<Verdict | undefined> {
    for (;;) {
      const share = this.shares.get(key);
      if (share?.usedUp) return this.verdict(limit + 1, limit, share.expiresAtMs);
      if (share && share.left > 0) return this.takeOne(share, limit);
      if (this.clock.now() < this.pausedUntilMs) return undefined;
      await this.claims.run(key, () => this.claim(windows, key, windowMs, limit));
    }
  }

  private takeOne(share: Share, limit: number): Verdict {
    share.left -= 1;
    return this.verdict(share.claimed - share.left, limit, share.expiresAtMs);
  }

  private counted(verdict: Verdict, counter: RateLimitCounter): Verdict {
    this.metrics.rateLimitChecked(counter, verdict.isBlocked ? 'limited' : 'passed');
    return verdict;
  }

  private async claim(windows: SharedWindows, key: string, windowMs: number, limit: number): Promise<void> {
    try {
      const { granted, claimed, leftMs } = await withinTime(CLAIM_TIMEOUT_MS, () =>
        windows.claim(key, limit, windowMs),
      );
      const expiresAtMs = this.clock.now() + leftMs;
      this.shares.set(key, { left: granted, claimed, usedUp: granted === 0, expiresAtMs });
      if (this.isAway) this.logger.info('the replicas count requests together again');
      this.isAway = false;
    } catch (error) {
      this.pausedUntilMs = this.clock.now() + PAUSE_MS;
      if (!this.isAway) {
        this.logger.warn({ err: error }, 'the rate limit’s database is away: this replica counts on its own');
      }
      this.isAway = true;
    }
  }

  private takeOfOwn(key: string, windowMs: number, limit: number): Verdict {
    let window = this.own.get(key);
    if (!window) {
      window = { hits: 0, expiresAtMs: this.clock.now() + windowMs };
      this.own.set(key, window);
    }
    window.hits += 1;
    return this.verdict(window.hits, limit, window.expiresAtMs);
  }

  private verdict(totalHits: number, limit: number, expiresAtMs: number): Verdict {
    const seconds = Math.max(1, Math.ceil((expiresAtMs - this.clock.now()) / 1000));
    const isBlocked = totalHits > limit;
    return { totalHits, timeToExpire: seconds, isBlocked, timeToBlockExpire: isBlocked ? seconds : 0 };
  }
}
