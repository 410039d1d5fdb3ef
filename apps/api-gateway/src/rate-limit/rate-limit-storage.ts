import { type Clock, SingleFlight, withinTime } from '@maker/service-kit';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import type { GatewayMetrics, RateLimitCounter } from '../gateway.metrics.ts';
import { BoundedWindows } from './bounded-windows.ts';
import { type ClaimedWindows, SHARE } from './claimed-windows.ts';

/** Time after which a request passes on credit, if the client has credit, ms. */
const SLOW_MS = 200;
/** Time after which a database without an answer counts as unavailable, ms. */
const AWAY_MS = 2000;
/** Time without claims after a failure, ms. */
const PAUSE_MS = 5000;
/** Most windows in memory, one for each client and route. */
const MAX_WINDOWS = 50_000;

/** Result of counting a request. */
export interface Verdict {
  readonly isBlocked: boolean;
  /** Known requests of the window, with this one. */
  readonly totalHits: number;
  /** Time until the window ends, s. */
  readonly secondsLeft: number;
}

/** A window as this replica knows it. */
interface Window {
  /** Known requests that all replicas have claimed. */
  claimed: number;
  /** Requests that may pass without another claim. Negative: requests that passed without a claim. */
  left: number;
  /** Whether the limit is used up in the database. */
  usedUp: boolean;
  expiresAtMs: number;
}

/**
 * Counts requests for the rate limit, together with all replicas. Each replica claims small shares of a window, so most requests need
 * no round trip to the database, and the shares never exceed the limit. While the database is slow, a client passes on a share of
 * credit. While it is unavailable, each replica continues from its known count. Source: docs/adr/0077.
 */
export class RateLimitStorage implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly windows: BoundedWindows<Window>;
  /** Concurrent requests of a key share one claim. */
  private readonly claims = new SingleFlight<void>();
  private readonly waiting = new Map<string, number>();
  private pausedUntilMs = 0;
  private state: 'shared' | 'slow' | 'away' = 'shared';

  /** @param shared undefined if this gateway has no database */
  constructor(
    private readonly shared: ClaimedWindows | undefined,
    private readonly clock: Clock,
    private readonly metrics: GatewayMetrics,
    private readonly logger: Logger,
  ) {
    this.windows = new BoundedWindows(MAX_WINDOWS, () => clock.now());
    if (!shared) logger.warn('MONGO_URL not set: each replica counts requests for the rate limit on its own');
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.shared?.prepare();
  }

  /** Counts a request. @param windowMs length of a window, ms @param limit most requests within a window */
  async increment(key: string, windowMs: number, limit: number): Promise<Verdict> {
    if (!this.shared) return this.countAlone(key, windowMs, limit);
    return this.count(key, windowMs, limit) ?? this.countAfterClaim(this.shared, key, windowMs, limit);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.shared?.close();
  }

  /** Counts a request without the database; undefined if a claim is needed first. For the parameters see {@link increment}. */
  count(key: string, windowMs: number, limit: number): Verdict | undefined {
    const window = this.windows.get(key);
    if (window?.usedUp) return this.refuse(window, limit, 'shared');
    if (window && window.left > 0) return this.pass(window, limit, 'shared');
    const mustAsk = this.shared && this.clock.now() >= this.pausedUntilMs;
    return mustAsk ? undefined : this.countAlone(key, windowMs, limit);
  }

  private countAlone(key: string, windowMs: number, limit: number): Verdict {
    const window = this.windows.get(key) ?? this.open(key, windowMs);
    return used(window) < limit ? this.pass(window, limit, 'replica') : this.refuse(window, limit, 'replica');
  }

  private async countAfterClaim(
    windows: ClaimedWindows,
    key: string,
    windowMs: number,
    limit: number,
  ): Promise<Verdict> {
    this.waiting.set(key, (this.waiting.get(key) ?? 0) + 1);
    try {
      for (;;) {
        const claim = this.claims.run(key, () => this.claim(windows, key, windowMs, limit));
        await withinTime(SLOW_MS, () => claim).catch((error: unknown) => this.isNow('slow', error));
        const verdict = this.count(key, windowMs, limit) ?? this.passOnCredit(key, windowMs, limit);
        if (verdict) return verdict;
        await claim;
      }
    } finally {
      const others = (this.waiting.get(key) ?? 1) - 1;
      if (others > 0) this.waiting.set(key, others);
      else this.waiting.delete(key);
    }
  }

  /** One share may pass before its claim is answered. While the database is unavailable, the replica counts alone. */
  private passOnCredit(key: string, windowMs: number, limit: number): Verdict | undefined {
    if (this.state === 'away') return this.countAlone(key, windowMs, limit);
    const window = this.windows.get(key) ?? this.open(key, windowMs);
    const credit = Math.max(1, Math.floor((limit - used(window)) / SHARE));
    return -window.left < credit && used(window) < limit ? this.pass(window, limit, 'replica') : undefined;
  }

  /** Claims a share. It never throws: after a failure, the database counts as unavailable. */
  private async claim(windows: ClaimedWindows, key: string, windowMs: number, limit: number): Promise<void> {
    const unclaimed = () => Math.max(0, -(this.windows.get(key)?.left ?? 0));
    const needed = unclaimed() + (this.waiting.get(key) ?? 0);
    const beganAtMs = performance.now();
    try {
      const claim = () => windows.claim(key, limit, windowMs, needed);
      const { granted, claimed, leftMs } = await withinTime(AWAY_MS, claim);
      const left = granted - unclaimed();
      this.windows.set(key, { left, claimed, usedUp: granted === 0, expiresAtMs: this.clock.now() + leftMs });
      if (performance.now() - beganAtMs < SLOW_MS) this.isNow('shared');
    } catch (error) {
      this.pausedUntilMs = this.clock.now() + PAUSE_MS;
      this.isNow('away', error);
    }
  }

  private isNow(state: 'shared' | 'slow' | 'away', error?: unknown): void {
    if (state === this.state || (state === 'slow' && this.state === 'away')) return;
    this.state = state;
    if (state === 'shared') this.logger.info('rate limit shared again');
    else if (state === 'slow') this.logger.warn({ err: error }, 'rate limit delayed, its database is slow');
    else this.logger.warn({ err: error }, 'rate limit no longer shared, its database is away');
  }

  private open(key: string, windowMs: number): Window {
    const window = { claimed: 0, left: 0, usedUp: false, expiresAtMs: this.clock.now() + windowMs };
    this.windows.set(key, window);
    return window;
  }

  private pass(window: Window, limit: number, counter: RateLimitCounter): Verdict {
    window.left -= 1;
    return this.verdict(used(window), limit, window, counter);
  }

  private refuse(window: Window, limit: number, counter: RateLimitCounter): Verdict {
    return this.verdict(limit + 1, limit, window, counter);
  }

  private verdict(totalHits: number, limit: number, { expiresAtMs }: Window, counter: RateLimitCounter): Verdict {
    const secondsLeft = Math.max(1, Math.ceil((expiresAtMs - this.clock.now()) / 1000));
    const isBlocked = totalHits > limit;
    this.metrics.rateLimitChecked(counter, isBlocked ? 'limited' : 'passed');
    return { totalHits, isBlocked, secondsLeft };
  }
}

/** Requests that have passed on any replica, as far as this replica knows. */
const used = ({ claimed, left }: Window) => claimed - left;
