import { answeredBlockTimes } from '../agreement/host-headers.ts';
import { Hosts } from '../agreement/hosts.ts';
import { judgeChainTime } from '../chain-time/judge-chain-time.ts';
import type { ChainClient } from '../client.ts';

/** Logger for a block time beyond the clock's bound. */
export interface ClockLogger {
  error(details: object, message: string): void;
}

/** Largest deviation of a block from the confirmed course before hosts are asked again, ms. */
const COURSE_MS = 5000;

/** Time between two errors about one clock, ms. */
const ERROR_EVERY_MS = 60_000;

/**
 * The chain's time, by several hosts and within a bound of our clock: one endpoint's block cannot end or start a job. It asks hosts at
 * first, and when a block deviates from the course of the clock. Source: docs/adr/0055.
 */
export class ChainClock {
  private timeMs: number | undefined;
  /** Chain time minus our clock when two hosts last confirmed it, ms. */
  private courseMs: number | undefined;
  private nextErrorAtMs = Number.NEGATIVE_INFINITY;

  /** Our clock, ms. */
  readonly now: () => number;
  private readonly hosts: Hosts;
  private readonly boundMs: number;
  private readonly logger: ClockLogger;

  /** @param boundMs largest allowed difference of the chain's time from our clock, ms @param now our clock, ms */
  constructor(client: ChainClient, boundMs: number, logger: ClockLogger, now: () => number) {
    this.hosts = new Hosts(client, false);
    this.boundMs = boundMs;
    this.logger = logger;
    this.now = now;
  }

  /**
   * The chain's time at a block, ms; never before an earlier one.
   * @param timestampMs from its endpoint @returns undefined beyond the bound: nothing may end or start
   */
  async timeOf(height: number, timestampMs: number): Promise<number | undefined> {
    const answersMs = this.isOnCourse(timestampMs) ? [] : await answeredBlockTimes(this.hosts, height);
    const machineMs = this.now();
    const facts = { previousMs: this.timeMs, machineMs, boundMs: this.boundMs };
    const time = judgeChainTime({ ...facts, answersMs: answersMs.length > 0 ? answersMs : [timestampMs] });
    if (time.kind !== 'sound') {
      this.logError(timestampMs - machineMs);
      return undefined;
    }
    if (answersMs.length > 1) this.courseMs = time.timeMs - machineMs;
    this.timeMs = time.timeMs;
    return time.timeMs;
  }

  private isOnCourse(timestampMs: number): boolean {
    if (this.courseMs === undefined) return false;
    return Math.abs(timestampMs - this.now() - this.courseMs) <= COURSE_MS;
  }

  private logError(aheadMs: number): void {
    const nowMs = performance.now();
    if (nowMs < this.nextErrorAtMs) return;
    this.nextErrorAtMs = nowMs + ERROR_EVERY_MS;
    this.logger.error({ aheadMs }, 'block time far from the clock, nothing is sent: check the endpoints and the clock');
  }
}
