import { afterEach, describe, expect, it, vi } from 'vitest';
import { WALLET } from './block-scanner.fixture.ts';
import { scanBlocks } from './block-scanner.ts';
import { SimulatedChain } from './simulated-chain.fixture.ts';
import { WatchedAddresses } from './watched-addresses.ts';

const HOUR_MS = 3_600_000;
const BLOCK_MS = 100;
afterEach(() => vi.restoreAllMocks());

describe('a scan by the machine’s clock', () => {
  it.each([
    ['45 s back', [-45_000]],
    ['two hours on and back', [2 * HOUR_MS, 0]],
    ['two hours back and on', [-2 * HOUR_MS, 0]],
  ])('finds the next payments while the clock steps %s', async (_, steps) => {
    let stepMs = 0;
    const now = Date.now;
    vi.spyOn(Date, 'now').mockImplementation(() => now() + stepMs);
    let nextAtMs = 0;
    const chain = new SimulatedChain(() => undefined);
    const request: typeof chain.request = (call) => {
      if (performance.now() >= nextAtMs) {
        nextAtMs = performance.now() + BLOCK_MS;
        chain.pay(WALLET, 5n);
      }
      return chain.request(call);
    };
    const watched = new WatchedAddresses();
    watched.add(WALLET);
    const end = new AbortController();
    let found = 0;
    const scanning = (async () => {
      for await (const event of scanBlocks({ request, watched, after: [], signal: end.signal })) {
        if (event.kind === 'block') found += event.transfers.length;
      }
    })();
    for (const step of [0, ...steps]) {
      stepMs = step;
      const before = found;
      await expect.poll(() => found, { timeout: 10_000 }).toBeGreaterThan(before + 3);
    }
    end.abort();
    await scanning;
  });
});
