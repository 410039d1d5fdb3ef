import { setTimeout as wait } from 'node:timers/promises';
import { createTestClient, http } from 'viem';

/**
 * Has an anvil make blocks until the signal: anvil's own interval knows whole seconds only. A chain that was killed or
 * paused makes none meanwhile.
 * @param ms between two blocks @param gainedSeconds that the chain's clock gains on ours with each
 */
export async function mineEvery(ms: number, gainedSeconds: number, rpcUrl: string, signal: AbortSignal): Promise<void> {
  const client = createTestClient({ mode: 'anvil', transport: http(rpcUrl, { retryCount: 0 }) });
  while (!signal.aborted) {
    const began = Date.now();
    await client.mine({ blocks: 1, interval: gainedSeconds }).catch(() => undefined);
    const left = Math.max(ms - (Date.now() - began), 0);
    await wait(left, undefined, { signal }).catch(() => undefined);
  }
}
