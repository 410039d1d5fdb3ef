import { describe, expect, it } from 'vitest';
import { compiledContract } from '../compiled-contract.fixture.ts';

describe('TRADE_PROBE_CREATION_CODE', () => {
  it('is what contracts/TradeProbe.sol compiles to (after a change of it: run this file with --update)', {
    timeout: 120_000,
  }, async () => {
    await expect(
      `import type { Hex } from 'viem';

/** Creation code of contracts/TradeProbe.sol; its specification compiles it again and compares. */
export const TRADE_PROBE_CREATION_CODE: Hex =
  '0x${compiledContract('TradeProbe')}';
`,
    ).toMatchFileSnapshot('./trade-probe.creation-code.ts');
  });
});
