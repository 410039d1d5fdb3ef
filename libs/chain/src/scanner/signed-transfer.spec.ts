import { type Address, type Hash, numberToHex, parseEther, type TransactionSerializable } from 'viem';
import { describe, expect, it } from 'vitest';
import { scanBlocks } from './block-scanner.ts';
import type { ScannedBlock } from './scan-events.ts';
import { from, signed } from './signed-transaction.fixture.ts';
import { isSigned } from './signed-transfer.ts';
import { SimulatedChain } from './simulated-chain.fixture.ts';
import { WatchedAddresses } from './watched-addresses.ts';
import type { WireTransaction } from './wire-block.ts';

const CHAIN_ID = 999;
const WALLET: Address = `0x${'aa'.repeat(20)}`;
const LIAR: Address = `0x${'bb'.repeat(20)}`;
const common = { to: WALLET, value: parseEther('0.5'), nonce: 7, gas: 21_000n };
const access = [{ address: LIAR, storageKeys: [`0x${'01'.repeat(32)}` as Hash] }];
const fees = { maxFeePerGas: 3_000_000_000n, maxPriorityFeePerGas: 5n };

const TYPES: readonly (readonly [string, TransactionSerializable])[] = [
  ['legacy', { type: 'legacy', ...common, chainId: CHAIN_ID, gasPrice: 2_000_000_000n }],
  ['legacy without a chain', { type: 'legacy', ...common, gasPrice: 2_000_000_000n }],
  ['EIP-2930', { type: 'eip2930', ...common, chainId: CHAIN_ID, gasPrice: 2_000_000_000n, accessList: access }],
  ['EIP-1559', { type: 'eip1559', ...common, chainId: CHAIN_ID, ...fees, accessList: access }],
  ['EIP-1559 with data', { type: 'eip1559', ...common, chainId: CHAIN_ID, ...fees, data: '0x1234' }],
];
describe.each(TYPES)('a transaction of the type %s', (_, transaction) => {
  it('proves its sender', async () => {
    for (let nonce = 0; nonce < 12; nonce++) {
      expect(await isSigned(await signed({ ...transaction, nonce } as TransactionSerializable), CHAIN_ID)).toBe(true);
    }
  });

  it.each<[string, Partial<WireTransaction>]>([
    ['sender', { from: LIAR }],
    ['recipient', { to: LIAR }],
    ['value', { value: numberToHex(parseEther('5')) }],
    ['hash', { hash: `0x${'12'.repeat(32)}` }],
  ])('is not believed with another %s', async (_field, change) => {
    expect(await isSigned({ ...(await signed(transaction)), ...change }, CHAIN_ID)).toBe(false);
  });
});

it('rejects unsigned and foreign-chain transfers', async () => {
  const { r: _, ...unsigned } = await signed(TYPES[3]?.[1] as TransactionSerializable);
  expect(await isSigned(unsigned, CHAIN_ID)).toBe(false);
  expect(await isSigned(await signed(TYPES[3]?.[1] as TransactionSerializable), 1)).toBe(false);
  expect(await isSigned(await signed(TYPES[0]?.[1] as TransactionSerializable), 1)).toBe(false);
});

it('treats a transfer with a false sender as mention', async () => {
  const honest = await signed(TYPES[3]?.[1] as TransactionSerializable);
  const false_ = { ...(await signed({ ...TYPES[3]?.[1], nonce: 8 } as TransactionSerializable)), from: LIAR };
  const chain = new SimulatedChain(() => undefined);
  chain.mine([honest, false_]);
  const watched = new WatchedAddresses();
  watched.add(WALLET);
  const end = new AbortController();
  let scanned: ScannedBlock | undefined;
  const options = { request: chain.request, watched, after: [], signal: end.signal, chainId: CHAIN_ID, clock: chain };
  for await (const event of scanBlocks(options)) {
    if (event.kind === 'block') scanned = event;
    end.abort();
  }
  expect(scanned?.transfers).toMatchObject([{ transactionHash: honest.hash, from }]);
  expect(scanned?.mentions).toEqual([{ transactionHash: false_.hash, address: WALLET }]);
  expect(scanned?.unproven).toMatchObject([{ transactionHash: false_.hash, from: LIAR }]);
});
