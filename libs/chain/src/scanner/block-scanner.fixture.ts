import type { Address, Hash } from 'viem';
import { scanBlocks } from './block-scanner.ts';
import type { BlockPointer, ScanEvent } from './scan-events.ts';
import type { SimulatedChain } from './simulated-chain.fixture.ts';
import { WatchedAddresses } from './watched-addresses.ts';

export const WALLET: Address = `0x${'aa'.repeat(20)}`;

/** Scans until an event satisfies `until`. */
export async function scan(
  chain: SimulatedChain,
  until: (event: ScanEvent) => boolean,
  after: readonly BlockPointer[] = [],
  request = chain.request,
): Promise<ScanEvent[]> {
  const watched = new WatchedAddresses();
  watched.add(WALLET);
  const end = new AbortController();
  const events: ScanEvent[] = [];
  for await (const event of scanBlocks({ request, watched, after, signal: end.signal, clock: chain })) {
    events.push(event);
    if (until(event)) end.abort();
  }
  return events;
}

/** State of a consumer that undoes blocks on a reorganisation. */
export function consumed(events: readonly ScanEvent[]) {
  let blocks: BlockPointer[] = [];
  let transfers: { block: number; hash: Hash }[] = [];
  for (const event of events) {
    if (event.kind === 'block') {
      blocks.push(event.block);
      transfers.push(...event.transfers.map((found) => ({ block: event.block.number, hash: found.transactionHash })));
    } else if (event.kind === 'reorg') {
      blocks = blocks.filter(({ number }) => number <= event.commonAncestor.number);
      transfers = transfers.filter(({ block }) => block <= event.commonAncestor.number);
    }
  }
  return { blocks, transfers: transfers.map(({ hash }) => hash) };
}

export const numbersOf = (events: readonly ScanEvent[]) =>
  events.map((event) => (event.kind === 'block' ? event.block.number : event.kind));
export const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

export const reached = (number: number) => (event: ScanEvent) =>
  event.kind === 'block' && event.block.number === number;
