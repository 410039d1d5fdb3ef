import type { HostileBlocks, WatchedJob } from './hostile-blocks.fixture.ts';

/** Gas of a small block; a big one has ten times as much. Source: hyperevm § 1. */
const SMALL_BLOCK_GAS = 3_000_000;
const BIG_TO_SMALL = 9;

const NAME_GAS = 21_000 + 300 * 20 * 40;
const SPRINKLE_GAS = 21_000 + 30 * 45_000;
const TRANSFER_GAS = 21_000;

/** Fills a block without mining it: a third of its gas each for calldata, dust inside a call, and plain dust. */
export async function fillBlock(blocks: HostileBlocks, own: readonly WatchedJob[], isBig: boolean): Promise<void> {
  const addresses = own.map(({ address }) => address);
  const shareGas = ((isBig ? BIG_TO_SMALL : 1) * SMALL_BLOCK_GAS) / 3;
  const times = (gas: number) => Array.from({ length: Math.ceil(shareGas / gas) }, (_, index) => index);
  const named = addresses.slice(0, 300);
  for (const _ of times(NAME_GAS)) await blocks.name(named);
  for (const index of times(SPRINKLE_GAS))
    await blocks.sprinkle(rotated(addresses, index * 30).slice(0, 30), SPRINKLE_GAS);
  for (const index of times(TRANSFER_GAS)) await blocks.send(rotated(addresses, index)[0] as `0x${string}`, 1n);
}

function rotated<Value>(values: readonly Value[], by: number): Value[] {
  const from = by % values.length;
  return [...values.slice(from), ...values.slice(0, from)];
}

/** Returns a percentile of times, ms. */
export function percentile(times: readonly number[], percent: number): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.min(Math.ceil((sorted.length * percent) / 100), sorted.length) - 1] ?? 0;
}
