import { type Address, BaseError, type PublicClient } from 'viem';
import { lower } from '../file/lower.ts';
import type { PlacedEvent } from './moments.ts';

export type LogsClient = Pick<PublicClient, 'getLogs'>;

/** Blocks and their number. */
export interface BlockSpan {
  readonly from: number;
  /** Inclusive. */
  readonly to: number;
}

/** Spans of at most `size` blocks, from the earliest on. */
export function spansOf({ from, to }: BlockSpan, size: number): readonly BlockSpan[] {
  const count = Math.max(0, Math.ceil((to - from + 1) / size));
  return Array.from({ length: count }, (_, index) => {
    const start = from + index * size;
    return { from: start, to: Math.min(start + size - 1, to) };
  });
}

/**
 * Reads all events of some contracts in a span of blocks, in order. An endpoint that limits the size of an answer gets two halves.
 * @throws the client's error if the endpoint does not answer for a single block
 */
export async function readLogs(
  client: LogsClient,
  addresses: readonly Address[],
  span: BlockSpan,
  onRequest: () => void,
): Promise<readonly PlacedEvent[]> {
  try {
    onRequest();
    const logs = await client.getLogs({
      address: [...addresses],
      fromBlock: BigInt(span.from),
      toBlock: BigInt(span.to),
    });
    return logs.map(({ address, topics, data, blockNumber, transactionIndex, logIndex, transactionHash }) => ({
      address: lower(address),
      topics,
      data,
      blockNumber: Number(blockNumber),
      transactionIndex: Number(transactionIndex),
      logIndex: Number(logIndex),
      transactionHash,
    }));
  } catch (error) {
    if (span.from === span.to || !isTooLarge(error)) throw error;
    const middle = Math.floor((span.from + span.to) / 2);
    const early = await readLogs(client, addresses, { from: span.from, to: middle }, onRequest);
    return [...early, ...(await readLogs(client, addresses, { from: middle + 1, to: span.to }, onRequest))];
  }
}

/** Whether an endpoint refused the size of a request or of its answer: providers word it in many ways. */
function isTooLarge(error: unknown): boolean {
  return (
    error instanceof BaseError &&
    /range|too (large|many)|exceed|more than \d+|response size/i.test(`${error.shortMessage} ${error.details}`)
  );
}
