import { createChainClient, networkOf, rpcRequestOf, scanBlocks, WatchedAddresses } from '@maker/chain';
import { controlNode, startHyperevmNode } from '@maker/hyperevm-node';
import { startChain } from '@maker/local-stack';

const BLOCK_MS = 250;
/** Ignored blocks after a switch: the scan may have requested them before it. */
const FIRST_LEFT_OUT = 3;

/** Median time from a block's creation to its arrival in the scan, ms. */
export interface MedianLags {
  /** At a node that answers heights above the head with an error, as HyperEVM's nodes do. */
  readonly strictMs: number;
  /** At a node that answers null, as Ethereum's nodes do. */
  readonly nullMs: number;
}

/**
 * Scans one node while switching its answer above the head back and forth, so that the machine's load affects both equally.
 * @param stretches between switches, half of each kind
 */
export async function medianLags(run: { stretches: number; blocksOfEach: number }): Promise<MedianLags> {
  const chain = await startChain({ exchanges: false, blockSeconds: 0 });
  const node = await startHyperevmNode({ executionUrl: chain.rpcUrl, blockMs: BLOCK_MS });
  const control = controlNode(node.controlUrl);
  try {
    const lags: Record<'strict' | 'null', number[]> = { strict: [], null: [] };
    for await (const { block, lagMs } of arrivals(node.rpcUrl, chain.chainId, run.stretches * run.blocksOfEach)) {
      const stretch = Math.floor(block / run.blocksOfEach);
      const isFirst = block % run.blocksOfEach === 0;
      const kind = stretch % 2 === 0 ? 'strict' : 'null';
      if (isFirst) await control.setSwitches({ nullAboveHead: kind === 'null' });
      if (block % run.blocksOfEach >= FIRST_LEFT_OUT) lags[kind].push(lagMs);
    }
    return { strictMs: median(lags.strict), nullMs: median(lags.null) };
  } finally {
    await node.stop();
    await chain.stop();
  }
}

/** Blocks in the order of their arrival, counted from 0, with their delays. */
async function* arrivals(
  rpcUrl: string,
  chainId: number,
  blocks: number,
): AsyncGenerator<{ block: number; lagMs: number }> {
  const request = rpcRequestOf(createChainClient({ network: networkOf(chainId), rpcUrls: [rpcUrl] }));
  const end = new AbortController();
  let block = 0;
  for await (const event of scanBlocks({ request, watched: new WatchedAddresses(), after: [], signal: end.signal })) {
    if (event.kind !== 'block') throw new Error(`the scan of a quiet chain yielded ${event.kind}`);
    // The node starts a block at each multiple of the interval of this machine's clock.
    yield { block, lagMs: Date.now() % BLOCK_MS };
    block += 1;
    if (block === blocks) end.abort();
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}
