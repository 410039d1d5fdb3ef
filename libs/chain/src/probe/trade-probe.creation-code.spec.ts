import { expect, it } from 'vitest';
import { creationCodeFile } from '../compiled-contract.fixture.ts';

it('TRADE_PROBE_CREATION_CODE equals contracts/TradeProbe.sol compiled (update with --update)', {
  timeout: 120_000,
}, async () => {
  const file = './trade-probe.creation-code.ts';
  await expect(creationCodeFile('TradeProbe', 'TRADE_PROBE_CREATION_CODE')).toMatchFileSnapshot(file);
});
