import { numberToHex } from 'viem';
import type { BlockRecord } from '../chain/block-record.ts';
import { readHeight, readQuantity } from '../rules/block-heights.ts';
import { type FeeHistoryBlock, feeHistory } from '../rules/fee-history.ts';
import { invalidParameters } from '../rules/json-rpc.ts';
import type { WireReceipt } from '../rules/wire.ts';
import type { Route, View } from './view.ts';

/** Maximum number of blocks in one answer. */
const MOST_BLOCKS = 1024;

export async function feeHistoryRoute(view: View, params: readonly unknown[]): Promise<Route> {
  const [count, newest, percentiles] = params;
  const wanted = typeof count === 'number' ? count : readQuantity(count, 'a block count');
  const last = readHeight(newest, view.range);
  const first = Math.max(view.range.oldest, last - Math.min(wanted, MOST_BLOCKS) + 1);
  const heights = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const withRewards = readPercentiles(percentiles);
  const records = await Promise.all(heights.map((height) => view.sources.state.block(height)));
  const [head, ...rest] = withRewards
    ? await withTips(view, records)
    : records.map((record) => ({ ...record, tips: [] }));
  if (!head) throw invalidParameters('a block count above zero is expected');
  return { result: feeHistory([head, ...rest], view.sources.state.nextBaseFeeWei('small'), withRewards) };
}

function readPercentiles(value: unknown): number[] | undefined {
  if (value === undefined || value === null) return undefined;
  const ascending =
    Array.isArray(value) && value.every((one, index) => isPercentile(one) && one >= (value[index - 1] ?? 0));
  if (!ascending) throw invalidParameters('percentiles are expected in ascending order, between 0 and 100');
  return value as number[];
}

function isPercentile(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 100;
}

async function withTips(view: View, records: readonly BlockRecord[]): Promise<FeeHistoryBlock[]> {
  const used = records.filter(({ gasUsed }) => gasUsed > 0n);
  const answers = await view.sources.execution.askAll(
    used.map(({ number }) => ({ method: 'eth_getBlockReceipts', params: [numberToHex(number)] })),
  );
  const receipts = new Map(used.map(({ number }, index) => [number, (answers[index]?.result ?? []) as WireReceipt[]]));
  return records.map((record) => ({
    ...record,
    tips: (receipts.get(record.number) ?? [])
      .filter(({ transactionHash }) => !record.system?.hashes.includes(transactionHash))
      .map(({ effectiveGasPrice, gasUsed }) => ({
        tipWei: BigInt(effectiveGasPrice) - record.baseFeeWei,
        gasUsed: BigInt(gasUsed),
      })),
  }));
}
