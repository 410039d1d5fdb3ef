const DEFAULT_PERIOD_MS = 1000;
const SHORTEST_PERIOD_MS = 50;
const LONGEST_PERIOD_MS = 2000;
const HEADERS_REMEMBERED = 32;
const ARRIVALS_REMEMBERED = 64;
const ARRIVALS_TO_TRUST = 8;
const BACKOFF_MS = 22;
const PATIENT_POLLS = 10;
const SLOWEST_POLL_MS = 500;
const FIRST_STEP_MS = 5;

/**
 * Says when to ask for the next block, so that it is asked for once, just after it exists. The period comes from the
 * headers at first and then from the arrivals themselves, since headers count whole seconds and may jump (a test that
 * moves the chain's clock, a chain that stood still). The phase follows the arrivals: a block that was there at the
 * first poll pulls the next poll earlier, in growing steps, until a poll comes too early again; a poll that came too
 * early is repeated every 22 ms, and slower once the block is long overdue.
 */
export class PhaseLock {
  /** When to poll next, ms on the caller's clock. */
  nextPollAtMs: number;

  private readonly headerTimes: number[] = [];
  private arrivals: number[] = [];
  private offsets: number[] = [];
  private misses = 0;
  private directHits = 0;

  constructor(nowMs: number) {
    this.nextPollAtMs = nowMs;
  }

  /** The estimated time between blocks, ms. */
  get periodMs(): number {
    return this.arrivals.length > ARRIVALS_TO_TRUST
      ? clampPeriod(meanStep(this.arrivals))
      : periodOfHeaders(this.headerTimes);
  }

  /** The block is not there yet. */
  missed(nowMs: number): void {
    this.misses += 1;
    this.directHits = 0;
    const slower = 2 ** Math.max(0, this.misses - PATIENT_POLLS);
    this.nextPollAtMs = nowMs + Math.min(BACKOFF_MS * slower, SLOWEST_POLL_MS);
  }

  /**
   * A block arrived while following the head.
   * @param timestampMs of its header
   * @param beside whether it came with the one before, and not in its turn: the next one is due when it would be without it
   * @returns whether the scan seems to be a block or more behind, so that the head should be asked for
   */
  arrived(nowMs: number, timestampMs: number, beside = false): boolean {
    const previous = this.arrivals.at(-1);
    if (beside && previous !== undefined) {
      this.misses = 0;
      this.nextPollAtMs = Math.max(previous + this.periodMs, nowMs);
      return false;
    }
    // After a halt or a jump the old rhythm says nothing.
    if (previous !== undefined && nowMs - previous > 3 * this.periodMs) this.arrivals = [];
    this.directHits = this.misses > 0 ? 0 : this.directHits + 1;
    const early = this.directHits === 0 ? 0 : FIRST_STEP_MS * 2 ** Math.min(this.directHits - 1, 8);
    this.misses = 0;
    remember(this.arrivals, nowMs, ARRIVALS_REMEMBERED);
    remember(this.headerTimes, timestampMs, HEADERS_REMEMBERED);
    this.nextPollAtMs = nowMs + Math.max(this.periodMs - early, 0);

    const offset = nowMs - timestampMs;
    remember(this.offsets, offset, HEADERS_REMEMBERED);
    return this.directHits > 0 && offset - Math.min(...this.offsets) > 1.25 * this.periodMs;
  }

  /** A block was read while catching up: its header counts, its arrival does not. */
  skipped(timestampMs: number): void {
    this.arrivals = [];
    remember(this.headerTimes, timestampMs, HEADERS_REMEMBERED);
  }
}

/** The usual time between blocks by their headers: the mean step without jumps. @returns ms */
export function periodOfHeaders(timestampsMs: readonly number[]): number {
  const steps = timestampsMs.slice(1).map((time, index) => time - (timestampsMs[index] ?? time));
  if (steps.length === 0) return DEFAULT_PERIOD_MS;
  const median = steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)] ?? DEFAULT_PERIOD_MS;
  const usual = steps.filter((step) => step <= Math.max(3 * median, DEFAULT_PERIOD_MS));
  if (usual.length === 0) return DEFAULT_PERIOD_MS;
  return clampPeriod(usual.reduce((sum, step) => sum + step, 0) / usual.length);
}

function meanStep(times: readonly number[]): number {
  return ((times.at(-1) ?? 0) - (times[0] ?? 0)) / (times.length - 1);
}

function clampPeriod(periodMs: number): number {
  return Math.min(Math.max(periodMs, SHORTEST_PERIOD_MS), LONGEST_PERIOD_MS);
}

function remember(values: number[], value: number, most: number): void {
  values.push(value);
  if (values.length > most) values.shift();
}
