/** A replica keeps up to one in this many wallets beyond its share: jobs start and end, and a hand-over interrupts a wallet. */
const KEPT_ONE_IN = 10;

/**
 * Returns how many wallets a replica hands over, so that a new replica gets its share.
 * @param owned wallets of this replica @param active executions at work, of all replicas @param replicas running ones, this one included
 */
export function surplusOf(owned: number, active: number, replicas: number): number {
  const share = Math.ceil(active / Math.max(1, replicas));
  const kept = Math.max(1, Math.floor(share / KEPT_ONE_IN));
  return owned > share + kept ? owned - share : 0;
}
