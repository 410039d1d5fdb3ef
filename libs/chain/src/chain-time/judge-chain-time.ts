/** What is known of the time of one block, or of the newest block. */
export interface ChainTimeFacts {
  /** What each host says, ms; one at least. */
  readonly answersMs: readonly number[];
  /** The chain's time as it was known before, ms. */
  readonly previousMs?: number | undefined;
  /** The machine's clock, ms. */
  readonly machineMs: number;
  /** Most by which the chain's time may differ from the machine's clock, ms; see `Network.clockBoundMs`. */
  readonly boundMs: number;
}

/**
 * The chain's time, or why it is not known. `ahead` and `behind`: the machine's clock differs by more than the bound. Then nothing may end,
 * and nothing may start. Who only catches up may go on where it is `behind`: nothing ends too early by it.
 */
export type ChainTime =
  | { readonly kind: 'sound' | 'behind'; readonly timeMs: number }
  | { readonly kind: 'ahead'; readonly byMs: number };

/**
 * Decides what time it is on the chain: the median of what hosts say, of two the lower, never before the time that was known, and within a
 * bound of the machine's clock. No single host ends a job early. Source: docs/adr/0055.
 */
export function judgeChainTime({ answersMs, previousMs = 0, machineMs, boundMs }: ChainTimeFacts): ChainTime {
  const medianMs = lowerMedian(answersMs);
  if (medianMs > machineMs + boundMs) return { kind: 'ahead', byMs: medianMs - machineMs };
  const kind = medianMs < machineMs - boundMs ? 'behind' : 'sound';
  return { kind, timeMs: Math.max(medianMs, previousMs) };
}

function lowerMedian(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const median = sorted[Math.floor((sorted.length - 1) / 2)];
  if (median === undefined) throw new RangeError('no host said what time it is');
  return median;
}
