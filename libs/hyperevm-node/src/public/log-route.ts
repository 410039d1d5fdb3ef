import { numberToHex } from 'viem';
import type { BlockRecord } from '../chain/block-record.ts';
import { type LogFilter, readLogFilter } from '../rules/log-limits.ts';
import { shownLogs } from '../rules/system-transactions.ts';
import type { WireLog } from '../rules/wire.ts';
import type { Route, View } from './view.ts';

export async function logRoute(view: View, value: unknown): Promise<Route> {
  const filter = readLogFilter(value, view.range);
  const records = await recordsOf(view, filter);
  if (!records) return { result: [] };
  const [first, last] = [records[0], records.at(-1)];
  const { address, topics } = filter;
  const params = [{ address, topics, fromBlock: heightOf(first), toBlock: heightOf(last) }];
  const forward = { method: 'eth_getLogs', params };
  if (records.every(({ system }) => !system)) return { forward };
  return {
    forward,
    put: (logs) =>
      (logs as WireLog[]).flatMap((log) => {
        const system = records.find(({ number }) => number === Number(log.blockNumber))?.system;
        return system ? shownLogs([log], system, view.switches.includeSystemTransactions) : [log];
      }),
  };
}

async function recordsOf(view: View, filter: LogFilter): Promise<BlockRecord[] | undefined> {
  const { state } = view.sources;
  if ('blockHash' in filter && typeof filter.blockHash === 'string') {
    const record = await state.blockByHash(filter.blockHash);
    return record && view.knows(record.number) ? [record] : undefined;
  }
  const { fromBlock, toBlock } = filter as { fromBlock: number; toBlock: number };
  const heights = Array.from({ length: toBlock - fromBlock + 1 }, (_, index) => fromBlock + index);
  return Promise.all(heights.map((height) => state.block(height)));
}

function heightOf(record: BlockRecord | undefined): string {
  return numberToHex(record?.number ?? 0);
}
