import { describe, expect, it } from 'vitest';
import { feeHistory } from './fee-history.ts';

const block = (number: number, gasUsed: bigint, gasLimit: bigint, tips: [bigint, bigint][]) => ({
  number,
  baseFeeWei: 100n,
  gasUsed,
  gasLimit,
  tips: tips.map(([tipWei, gas]) => ({ tipWei, gasUsed: gas })),
});

describe('the history of fees', () => {
  it('lists both kinds with the next small fee', () => {
    const history = feeHistory(
      [block(16, 1_500_000n, 3_000_000n, []), block(17, 3_000_000n, 30_000_000n, [])],
      250n,
      undefined,
    );
    expect(history).toEqual({ oldestBlock: '0x10', baseFeePerGas: ['0x64', '0x64', '0xfa'], gasUsedRatio: [0.5, 0.1] });
  });

  it('weighs tips by gas', () => {
    const full = block(1, 100n, 3_000_000n, [
      [30n, 10n],
      [1n, 60n],
      [20n, 30n],
    ]);
    expect(feeHistory([full], 1n, [0, 50, 61, 90, 91, 100]).reward).toEqual([
      ['0x1', '0x1', '0x14', '0x14', '0x1e', '0x1e'],
    ]);
  });

  it('has zero tips for empty blocks', () => {
    expect(feeHistory([block(1, 0n, 3_000_000n, [])], 1n, [50]).reward).toEqual([['0x0']]);
  });
});
