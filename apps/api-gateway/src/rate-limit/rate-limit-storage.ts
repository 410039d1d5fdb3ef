import { SingleFlight, type SteadyClock, withinTime } from '@maker/service-kit';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import type { GatewayMetrics, RateLimitCounter } from '../gateway.metrics.ts';
import { BoundedWindows } from './bounded-windows.ts';
import { type ClaimedWindows, LateWindowsError, SHARE } from './claimed-windows.ts';

/** Time after which a request passes on credit, if the client has credit, ms. */
const SLOW_MS = 200;
/** Time after which a request no longer waits for a claim, ms. */
const LATE_MS = 2000;
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

/** How the database answers. */
type State = 'shared' | 'slow' | 'late' | 'away';

/** States that a state does not replace: only an answer in time shows that the database is back. */
const WORSE: Readonly<Record<State, readonly State[]>> = {
  shared: [],
  slow: ['late', 'away'],
  late: ['away'],
  away: [],
};

const SENTENCES: Readonly<Record<Exclude<State, 'shared'>, string>> = {
  slow: 'rate limit delayed, its database is slow',
  late: 'rate limit on credit, its database does not answer in time',
  away: 'rate limit no longer shared, its database is away',
};

/** A window as this replica knows it. */
interface Window {
  /** Known requests of all replicas that count against the limit. */
  claimed: number;
  /** Requests that this replica passed alone in the window before. They count less, the more of this window is over. */
  readonly previous: number;
  /** Requests that may pass without another claim. Negative: requests that passed without a claim. */
  left: number;
  /** Whether the limit is used up in the database. */
  usedUp: boolean;
  /** Time of the last claim, or of the beginning, ms. */
  readonly sinceMs: number;
  readonly endsAtMs: number;
  /** Later, nothing of the window counts. */
  readonly expiresAtMs: number;
}

/**
 * Counts requests for the rate limit, together with all replicas. Each replica claims small shares of a window, so most requests need
 * no round trip to the database, and the shares never exceed the limit. While the database does not answer in time, a client passes
 * on credit: one share, and the limit's pace. While it is down, each replica continues from its known count. Source: docs/adr/0160.
 */
export class RateLimitStorage implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly windows: BoundedWindows<Window>;
  /** Concurrent requests of a key share one claim. */
  private readonly claims = new SingleFlight<void>();
  private readonly waiting = new Map<string, number>();
  private pausedUntilMs = 0;
  private state: State = 'shared';
  private lateSinceMs = 0;

  /** @param shared undefined if this gateway has no database */
  constructor(
    private readonly shared: ClaimedWindows | undefined,
    private readonly clock: SteadyClock,
    private readonly metrics: GatewayMetrics,
    private readonly logger: Logger,
  ) {
    this.windows = new BoundedWindows(MAX_WINDOWS, () => clock.now());
    if (!shared) logger.warn('MONGO_URL not set: each replica counts requests for the rate limit on its own');
  }

  async onApplicationBootstrap(): Promise<void> {
    // The gateway starts without its database too.
    await withinTime(LATE_MS, () => this.shared?.prepare()).catch((error: unknown) => this.isNow('late', error));
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
    const window = this.current(key, windowMs);
    if (window?.usedUp) return this.refuse(window, limit, 'shared');
    if (window && window.left > 0) return this.pass(window, limit, 'shared');
    const mustAsk = this.shared && this.clock.now() >= this.pausedUntilMs;
    return mustAsk ? undefined : this.countAlone(key, windowMs, limit);
  }

  /** Counts by what this replica knows; while the database is late, only on credit. */
  private countAlone(key: string, windowMs: number, limit: number): Verdict {
    const window = this.current(key, windowMs) ?? this.open(key, windowMs);
    const sinceMs = Math.max(window.sinceMs, this.lateSinceMs);
    const credit = creditOf(window, limit) + Math.floor(((this.clock.now() - sinceMs) * limit) / windowMs);
    const isPassed = this.used(window) < limit && (this.state !== 'late' || -window.left < credit);
    return isPassed ? this.pass(window, limit, 'replica') : this.refuse(window, limit, 'replica');
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
        await withinTime(LATE_MS, () => claim).catch((error: unknown) => this.isNow('late', error));
      }
    } finally {
      const others = (this.waiting.get(key) ?? 1) - 1;
      if (others > 0) this.waiting.set(key, others);
      else this.waiting.delete(key);
    }
  }

  /** One share may pass before its claim is answered. While the database is late or down, the replica counts alone. */
  private passOnCredit(key: string, windowMs: number, limit: number): Verdict | undefined {
    if (this.state === 'late' || this.state === 'away') return this.countAlone(key, windowMs, limit);
    const window = this.current(key, windowMs) ?? this.open(key, windowMs);
    const isPassed = -window.left < creditOf(window, limit) && this.used(window) < limit;
    return isPassed ? this.pass(window, limit, 'replica') : undefined;
  }

  /** Claims a share. It never throws. A late answer counts too: requests stop waiting, the claim does not. */
  private async claim(windows: ClaimedWindows, key: string, windowMs: number, limit: number): Promise<void> {
    const unclaimed = () => Math.max(0, -(this.windows.get(key)?.left ?? 0));
    const needed = unclaimed() + (this.waiting.get(key) ?? 0);
    const beganAtMs = this.clock.now();
    try {
      const { granted, claimed, leftMs } = await windows.claim(key, limit, windowMs, needed);
      const nowMs = this.clock.now();
      const times = { sinceMs: nowMs, endsAtMs: nowMs + leftMs, expiresAtMs: nowMs + leftMs + windowMs };
      this.windows.set(key, { left: granted - unclaimed(), claimed, previous: 0, usedUp: granted === 0, ...times });
      if (nowMs - beganAtMs < SLOW_MS) this.isNow('shared');
    } catch (error) {
      this.pausedUntilMs = this.clock.now() + PAUSE_MS;
      this.isNow(error instanceof LateWindowsError ? 'late' : 'away', error);
    }
  }

  private isNow(state: State, error?: unknown): void {
    if (state === this.state || WORSE[state].includes(this.state)) return;
    if (state === 'late') this.lateSinceMs = this.clock.now();
    this.state = state;
    if (state === 'shared') this.logger.info('rate limit shared again');
    else this.logger.warn({ err: error }, SENTENCES[state]);
  }

  /** The window of a key. After its end, the next one begins with what passed in it. */
  private current(key: string, windowMs: number): Window | undefined {
    const window = this.windows.get(key);
    if (!window || this.clock.now() < window.endsAtMs) return window;
    return this.open(key, windowMs, window.claimed - window.left, window.endsAtMs);
  }

  private open(key: string, windowMs: number, previous = 0, sinceMs = this.clock.now()): Window {
    const times = { sinceMs, endsAtMs: sinceMs + windowMs, expiresAtMs: sinceMs + 2 * windowMs };
    const window = { claimed: 0, previous, left: 0, usedUp: false, ...times };
    this.windows.set(key, window);
    return window;
  }

  /** Requests that count against the limit now, as far as this replica knows. */
  private used({ claimed, left, previous, sinceMs, endsAtMs }: Window): number {
    if (previous === 0) return claimed - left;
    return claimed - left + Math.ceil((previous * (endsAtMs - this.clock.now())) / (endsAtMs - sinceMs));
  }

  private pass(window: Window, limit: number, counter: RateLimitCounter): Verdict {
    window.left -= 1;
    return this.verdict(this.used(window), limit, window, counter);
  }

  private refuse(window: Window, limit: number, counter: RateLimitCounter): Verdict {
    return this.verdict(limit + 1, limit, window, counter);
  }

  private verdict(totalHits: number, limit: number, { endsAtMs }: Window, counter: RateLimitCounter): Verdict {
    const secondsLeft = Math.max(1, Math.ceil((endsAtMs - this.clock.now()) / 1000));
    const isBlocked = totalHits > limit;
    this.metrics.rateLimitChecked(counter, isBlocked ? 'limited' : 'passed');
    return { totalHits, isBlocked, secondsLeft };
  }
}

/** Requests that may pass without a claim. */
const creditOf = ({ claimed, left }: Window, limit: number) =>
  Math.max(1, Math.floor((limit - claimed + left) / SHARE));
