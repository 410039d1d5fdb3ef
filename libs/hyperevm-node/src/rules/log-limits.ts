import { type Range, readHash, readHeight } from './block-heights.ts';
import { INTERNAL_ERROR, invalidParameters, RpcError } from './json-rpc.ts';

/** Maximum blocks and topics of one query of logs. Source: hyperevm § 1. */
export const MOST_LOG_BLOCKS = 50;
export const MOST_LOG_TOPICS = 4;

/** A filter with an explicit range. */
export type LogFilter = Record<string, unknown> & ({ fromBlock: number; toBlock: number } | { blockHash: string });

/**
 * Parses and checks the filter of `eth_getLogs`. Counts topics over all positions, alternatives included, the stricter
 * reading of the limit.
 * @throws RpcError
 */
export function readLogFilter(value: unknown, range: Range): LogFilter {
  if (typeof value !== 'object' || value === null) throw invalidParameters('a filter is expected');
  const filter = value as Record<string, unknown>;
  const topics = [filter.topics ?? []].flat(3).filter((topic) => topic !== null);
  if (topics.length > MOST_LOG_TOPICS)
    throw limitExceeded(`${topics.length} topics, at most ${MOST_LOG_TOPICS} are allowed`);
  if (filter.blockHash !== undefined && filter.blockHash !== null) {
    return { ...filter, blockHash: readHash(filter.blockHash) };
  }
  const fromBlock = readHeight(filter.fromBlock ?? 'latest', range);
  const toBlock = readHeight(filter.toBlock ?? 'latest', range);
  if (toBlock < fromBlock) throw invalidParameters(`fromBlock ${fromBlock} is after toBlock ${toBlock}`);
  const blocks = toBlock - fromBlock + 1;
  if (blocks > MOST_LOG_BLOCKS)
    throw limitExceeded(`query spans ${blocks} blocks, at most ${MOST_LOG_BLOCKS} are allowed`);
  return { ...filter, fromBlock, toBlock };
}

function limitExceeded(what: string): RpcError {
  return new RpcError(INTERNAL_ERROR, `log query limit exceeded: ${what}`);
}
