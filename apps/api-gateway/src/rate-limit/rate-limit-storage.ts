import { type Clock, SingleFlight, withinTime } from '@maker/service-kit';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import type { GatewayMetrics, RateLimitCounter } from '../gateway.metrics.ts';
import { BoundedWindows } from './bounded-windows.ts';
import { type ClaimedWindows, SHARE } from './claimed-windows.ts';

/** Time after which a request passes on credit, where the client has some, ms. */
const SLOW_MS = 200;
/** Time after which a database that does not answer counts as away, ms. */
const AWAY_MS = 2000;
/** Time without asking the shared windows after they failed, ms. */
const PAUSE_MS = 5000;
/** Clients and routes held in memory. */
const MAX_WINDOWS = 50_000;

/** What became of a request that was counted. */
export interface Verdict {
  readonly isBlocked: boolean;
  /** Requests of the window, this one among them, as far as is known. */
  readonly totalHits: number;
  /** Until the window ends. */
  readonly secondsLeft: number;
}

/** What this replica knows of a window. */
interface Window {
  /** Requests that all replicas have claimed, as far as is known here. */
  claimed: number;
  /** Requests that may pass without asking. Below zero: requests that passed without a claim. */
  left: number;
  /** The database has nothing left to claim. */
  usedUp: boolean;
  expiresAtMs: number;
}

/**
 * Counts requests for the rate limit, together with all replicas. Each claims small shares of a window, so most requests cost no
 * trip to the database, and the shares never exceed the limit. While the database is slow, a client passes on a share of credit.
 * While it is away, each replica counts on from what it knows. Source: docs/adr/0077.
 */
export class RateLimitStorage implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly windows: BoundedWindows<Window>;
  /** One claim for all requests of a key that wait for it. */
  private readonly claims = new SingleFlight<void>();
  private readonly waiting = new Map<string, number>();
  private pausedUntilMs = 0;
  private state: 'shared' | 'slow' | 'away' = 'shared';

  /** @param shared undefined where this gateway has no database */
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

  /** Counts a request. @param windowMs length of a window, ms @param limit requests within a window */
  async increment(key: string, windowMs: number, limit: number): Promise<Verdict> {
    if (!this.shared) return this.countAlone(key, windowMs, limit);
    return this.count(key, windowMs, limit) ?? this.countAfterClaim(this.shared, key, windowMs, limit);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.shared?.close();
  }

  /** Counts a request at once; undefined where the database has to be asked first. Parameters as of {@link increment}. */
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

  /** One share may pass before its claim is answered; of a database that was away before, more is not expected. */
  private passOnCredit(key: string, windowMs: number, limit: number): Verdict | undefined {
    if (this.state === 'away') return this.countAlone(key, windowMs, limit);
    const window = this.windows.get(key) ?? this.open(key, windowMs);
    const credit = Math.max(1, Math.floor((limit - used(window)) / SHARE));
    return -window.left < credit && used(window) < limit ? this.pass(window, limit, 'replica') : undefined;
  }

  /** Never fails: a database that does is away from now on. */
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

/** Requests that are known to have passed, on any replica. */
const used = ({ claimed, left }: Window) => claimed - left;
