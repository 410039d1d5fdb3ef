import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';

const SOURCE = new URL('../../contracts/TradeProbe.sol', import.meta.url);

/** The compiler runs as a process of its own, since it replaces its host's handlers of uncaught errors. */
function compile(): string {
  const input = {
    language: 'Solidity',
    sources: { 'TradeProbe.sol': { content: readFileSync(SOURCE, 'utf8') } },
    settings: {
      evmVersion: 'cancun',
      optimizer: { enabled: true, runs: 1 },
      metadata: { bytecodeHash: 'none', appendCBOR: false },
      outputSelection: { '*': { '*': ['evm.bytecode.object'] } },
    },
  };
  const compiler = createRequire(import.meta.url).resolve('solc/solc.js');
  const printed = execFileSync(process.execPath, [compiler, '--standard-json'], {
    input: JSON.stringify(input),
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
  });
  const output = JSON.parse(printed.slice(printed.indexOf('{')));
  return output.contracts['TradeProbe.sol'].TradeProbe.evm.bytecode.object;
}

describe('TRADE_PROBE_CREATION_CODE', () => {
  it('is what contracts/TradeProbe.sol compiles to (after a change of it: run this file with -u)', {
    timeout: 120_000,
  }, async () => {
    await expect(
      `import type { Hex } from 'viem';

/** Creation code of contracts/TradeProbe.sol; its specification compiles it again and compares. */
export const TRADE_PROBE_CREATION_CODE: Hex =
  '0x${compile()}';
`,
    ).toMatchFileSnapshot('./trade-probe.creation-code.ts');
  });
});
