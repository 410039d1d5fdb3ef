import { reachedByMost } from '../quorum.ts';

/** Facts about the time of one block. */
export interface ChainTimeFacts {
  /** Each host's answer, ms; one at least. */
  readonly answersMs: readonly number[];
  /** The chain's last known time, ms. */
  readonly previousMs?: number | undefined;
  /** The machine's clock, ms. */
  readonly machineMs: number;
  /** Largest allowed difference of the chain's time from the machine's clock, ms; see `Network.clockBoundMs`. */
  readonly boundMs: number;
}

/**
 * The chain's time, or the reason why it is unknown. `ahead` and `behind`: it differs from the machine's clock by more than the bound. No
 * job may then end or start. A reader that catches up may continue where the time is `behind`: no job ends too early by it.
 */
export type ChainTime =
  | { readonly kind: 'sound' | 'behind'; readonly timeMs: number }
  | { readonly kind: 'ahead'; readonly byMs: number };

/**
 * Decides the chain's time: the latest that most hosts have reached, never before the last known time, and within a bound of the
 * machine's clock. No single host can end a job early. Within the bound one answer is enough: the clock confirms it. Source: docs/adr/0055.
 */
export function judgeChainTime({ answersMs, previousMs = 0, machineMs, boundMs }: ChainTimeFacts): ChainTime {
  const reachedMs = reachedByMost(answersMs);
  if (reachedMs > machineMs + boundMs) return { kind: 'ahead', byMs: reachedMs - machineMs };
  const kind = reachedMs < machineMs - boundMs ? 'behind' : 'sound';
  return { kind, timeMs: Math.max(reachedMs, previousMs) };
}
