const DEFAULT_PERIOD_MS = 1000;
const SHORTEST_PERIOD_MS = 50;
const LONGEST_PERIOD_MS = 2000;
const HEADERS_REMEMBERED = 32;
/** Arrivals of about seventy blocks. */
const ARRIVALS_REMEMBERED = 10;
/** Pause after a poll that came too early, and its growth with each further one. */
const BACKOFF_MS = 18;
const BACKOFF_GROWTH = 1.6;
const SLOWEST_POLL_MS = 500;
/** Shift of the next poll: earlier after a poll that found its block, later after one that did not. One poll in seven is then too early. */
const EARLIER_MS = 3;
const LATER_MS = 18;
/** After this many hits, or misses, in a row the rhythm itself has moved: the steps double. */
const HITS_TO_DOUBT = 15;
const MISSES_TO_DOUBT = 2;
/** Before the rhythm is known, polls move earlier by this step, doubled each time: header times are unreliable. */
const FIRST_STEP_MS = 5;

/** A block by its count, and the time of its arrival, ms. */
interface Caught {
  readonly block: number;
  readonly atMs: number;
}

/**
 * Schedules the poll for the next block, so that one poll, just after the block exists, is enough. The period comes from the headers at
 * first, then from blocks that arrived during polling: headers count whole seconds and may jump (a test moves the chain's clock, the
 * chain has halted). The phase is set so that six polls of seven find their block directly. Each block moves it a little earlier or
 * later, so neither a late block nor a slow answer moves it far. After a poll that came too early, the next one follows soon; the pause
 * grows while the block is absent.
 */
export class PhaseLock {
  /** When to poll next, ms on the caller's clock. */
  nextPollAtMs: number;

  private readonly headerTimes: number[] = [];
  /** Blocks that arrived during polling, so that the moment is known. */
  private caught: Caught[] = [];
  /** The first and the last seen blocks, which may have existed for a long time before. */
  private first: Caught | undefined;
  private last: Caught | undefined;
  private blocks = 0;
  private lastArrivalMs: number | undefined;
  private offsets: number[] = [];
  /** Time of the first poll for the next block, ms. */
  private targetMs: number;
  /** Polls for the next block that came too early. */
  private misses = 0;
  private hitsInRow = 0;
  private missesInRow = 0;

  constructor(nowMs: number) {
    this.nextPollAtMs = nowMs;
    this.targetMs = nowMs;
  }

  /** The estimated time between blocks, ms. */
  get periodMs(): number {
    const [oldest, newest] = [this.caught[0], this.caught.at(-1)];
    if (oldest && newest && oldest !== newest) return clampPeriod(stepBetween(oldest, newest));
    const byHeaders = periodOfHeaders(this.headerTimes);
    // Many blocks arrived in the period of one: the headers' clock is not ours.
    const counted = this.first && this.last ? stepBetween(this.first, this.last) : byHeaders;
    return counted < byHeaders / 2 ? clampPeriod(counted) : byHeaders;
  }

  /** Records a poll that came before the block. */
  missed(nowMs: number): void {
    this.misses += 1;
    this.nextPollAtMs = nowMs + Math.min(BACKOFF_MS * BACKOFF_GROWTH ** (this.misses - 1), SLOWEST_POLL_MS);
  }

  /**
   * Records a block that arrived while following the head.
   * @param timestampMs of its header
   * @param beside whether it is an extra block outside the rhythm, which does not change when the next one is due
   * @returns whether the scan seems to be a block or more behind, so that the caller should read the head
   */
  arrived(nowMs: number, timestampMs: number, beside = false): boolean {
    const previous = this.lastArrivalMs;
    if (beside && previous !== undefined) {
      this.misses = 0;
      this.nextPollAtMs = Math.max(previous + this.periodMs, nowMs);
      return false;
    }
    // After a halt or a jump the old rhythm is no longer valid.
    const hasHalted = previous !== undefined && nowMs - previous > 3 * this.periodMs;
    if (hasHalted) this.caught = [];
    const direct = this.misses === 0;
    this.hitsInRow = direct ? this.hitsInRow + 1 : 0;
    this.missesInRow = direct ? 0 : this.missesInRow + 1;
    this.misses = 0;
    this.blocks += 1;
    this.lastArrivalMs = nowMs;
    this.last = { block: this.blocks, atMs: nowMs };
    this.first ??= this.last;
    // A single late block does not show a new rhythm.
    const isOutlier = this.missesInRow === 1 && this.caught.length > 1 && nowMs - this.targetMs > 2 * LATER_MS;
    if (!direct && !isOutlier) remember(this.caught, this.last, ARRIVALS_REMEMBERED);
    remember(this.headerTimes, timestampMs, HEADERS_REMEMBERED);
    const phase = previous === undefined || hasHalted ? nowMs : this.targetMs + this.correction(nowMs - this.targetMs);
    this.targetMs = Math.max(phase + this.periodMs, nowMs);
    this.nextPollAtMs = this.targetMs;

    const offset = nowMs - timestampMs;
    remember(this.offsets, offset, HEADERS_REMEMBERED);
    const isLate = direct && offset - Math.min(...this.offsets) > 1.25 * this.periodMs;
    return isLate || (this.isRhythmKnown && this.hitsInRow > 0 && this.hitsInRow % HITS_TO_DOUBT === 0);
  }

  /** Counts a block that came unseen between two arrivals. Without the count, the rhythm would appear slower than it is. */
  passed(timestampMs: number): void {
    this.blocks += 1;
    remember(this.headerTimes, timestampMs, HEADERS_REMEMBERED);
  }

  /** Records a block that was read while catching up: its header counts, its arrival does not. */
  skipped(timestampMs: number): void {
    this.blocks += 1;
    this.lastArrivalMs = undefined;
    remember(this.headerTimes, timestampMs, HEADERS_REMEMBERED);
  }

  private get isRhythmKnown(): boolean {
    return this.caught.length > 1;
  }

  /** How far the phase moves, ms. @param lateMs time from the first poll for the block to its arrival */
  private correction(lateMs: number): number {
    const doubts = (inRow: number, from: number) => 2 ** Math.min(Math.max(0, inRow - from), 8);
    if (this.missesInRow === 0) {
      return this.isRhythmKnown
        ? -EARLIER_MS * doubts(this.hitsInRow, HITS_TO_DOUBT)
        : -FIRST_STEP_MS * doubts(this.hitsInRow, 1);
    }
    return Math.min(lateMs, LATER_MS * doubts(this.missesInRow, MISSES_TO_DOUBT));
  }
}

/** The usual time between blocks by their headers: the mean step without jumps, ms. */
export function periodOfHeaders(timestampsMs: readonly number[]): number {
  const steps = timestampsMs.slice(1).map((time, index) => time - (timestampsMs[index] ?? time));
  if (steps.length === 0) return DEFAULT_PERIOD_MS;
  const median = steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)] ?? DEFAULT_PERIOD_MS;
  const usual = steps.filter((step) => step <= Math.max(3 * median, DEFAULT_PERIOD_MS));
  if (usual.length === 0) return DEFAULT_PERIOD_MS;
  return clampPeriod(usual.reduce((sum, step) => sum + step, 0) / usual.length);
}

function stepBetween(one: Caught, other: Caught): number {
  return (other.atMs - one.atMs) / Math.max(1, other.block - one.block);
}

function clampPeriod(periodMs: number): number {
  return Math.min(Math.max(periodMs, SHORTEST_PERIOD_MS), LONGEST_PERIOD_MS);
}

function remember<Value>(values: Value[], value: Value, most: number): void {
  values.push(value);
  if (values.length > most) values.shift();
}
