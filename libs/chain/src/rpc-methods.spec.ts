import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { RPC_METHODS } from './rpc-methods.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const SOURCES = 'apps/{token-validation,payment-watcher,maker-executor,ops}/src/**/*.ts';

/** RPC methods of viem's actions, where the name differs from `eth_` and the action's name. */
const ACTIONS: Readonly<Record<string, readonly string[]>> = {
  getBlock: ['eth_getBlockByNumber', 'eth_getBlockByHash'],
  getTransaction: ['eth_getTransactionByHash'],
  readContract: ['eth_call'],
  getBlockNumber: ['eth_blockNumber'],
  getChainId: ['eth_chainId'],
  getFeeHistory: ['eth_feeHistory'],
  getGasPrice: ['eth_gasPrice'],
};

function calledMethods(): Set<string> {
  const files = [SOURCES, 'libs/chain/src/**/*.ts'].flatMap((pattern) => globSync(pattern, { cwd: ROOT }));
  const methods = new Set<string>();
  for (const file of files) {
    if (/\.(spec|fixture)\.ts$/.test(file) || file.endsWith('rpc-methods.ts')) continue;
    const source = readFileSync(`${ROOT}${file}`, 'utf8');
    for (const [, method = ''] of source.matchAll(/method: '(eth_\w+)'/g)) methods.add(method);
    const actions = source.matchAll(
      /\bclient\.(get\w+|call|estimateGas|sendRawTransaction|readContract)\(|\b(getBlockReceipts)\(/g,
    );
    for (const [, action, imported] of actions) {
      const name = action ?? imported ?? '';
      for (const method of ACTIONS[name] ?? [`eth_${name}`]) methods.add(method);
    }
  }
  return methods;
}

it('lists every method in the source for preflight', () => {
  const listed: readonly string[] = RPC_METHODS.map(({ method }) => method);
  expect([...calledMethods()].filter((method) => !listed.includes(method))).toEqual([]);
  expect(calledMethods().size).toBeGreaterThan(10);
});
