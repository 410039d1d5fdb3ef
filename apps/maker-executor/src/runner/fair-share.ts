/** Beyond this part of its share a replica keeps what it has: jobs come and go, and each wallet that is handed over stands still for a moment. */
const KEPT_ONE_IN = 10;

/**
 * How many wallets a replica hands over, so that one that joins gets its share.
 * @param owned wallets of this replica @param active executions at work, of all replicas @param replicas that are there, this one among them
 */
export function surplusOf(owned: number, active: number, replicas: number): number {
  const share = Math.ceil(active / Math.max(1, replicas));
  const kept = Math.max(1, Math.floor(share / KEPT_ONE_IN));
  return owned > share + kept ? owned - share : 0;
}
