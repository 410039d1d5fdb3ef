import { isBlockNumber, isObject, isQuantity } from './wire-values.ts';

/** Checks an answer of `eth_feeHistory`. @returns the wrong part; undefined if none is */
export function wrongInFeeHistory(answer: unknown, [count, , percentiles]: readonly unknown[]): string | undefined {
  if (!isObject(answer)) return 'fee history';
  const { oldestBlock, baseFeePerGas, gasUsedRatio, reward } = answer;
  if (!isBlockNumber(oldestBlock)) return 'oldestBlock';
  if (!Array.isArray(gasUsedRatio) || !gasUsedRatio.every(isRatio)) return 'gasUsedRatio';
  if (gasUsedRatio.length > Number(count)) return 'gasUsedRatio of more blocks than were asked for';
  if (!isListOf(baseFeePerGas, gasUsedRatio.length + 1)) return 'baseFeePerGas';
  const asked = Array.isArray(percentiles) ? percentiles.length : 0;
  if (asked === 0 || gasUsedRatio.length === 0) return undefined;
  const isComplete = Array.isArray(reward) && reward.length === gasUsedRatio.length;
  return isComplete && reward.every((row) => isListOf(row, asked)) ? undefined : 'reward';
}

function isRatio(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function isListOf(list: unknown, length: number): boolean {
  return Array.isArray(list) && list.length === length && list.every(isQuantity);
}
