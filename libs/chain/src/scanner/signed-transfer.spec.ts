import { type Address, type Hash, numberToHex, parseEther, type TransactionSerializable } from 'viem';
import { describe, expect, it } from 'vitest';
import { scanBlocks } from './block-scanner.ts';
import type { ScannedBlock } from './scan-events.ts';
import { from, signed } from './signed-transaction.fixture.ts';
import { signerOf } from './signed-transfer.ts';
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
      expect(await signerOf(await signed({ ...transaction, nonce } as TransactionSerializable), CHAIN_ID)).toBe(from);
    }
  });

  it.each<[string, Partial<WireTransaction>]>([
    ['recipient', { to: LIAR }],
    ['value', { value: numberToHex(parseEther('5')) }],
    ['hash', { hash: `0x${'12'.repeat(32)}` }],
  ])('is rejected with another %s', async (_field, change) => {
    expect(await signerOf({ ...(await signed(transaction)), ...change }, CHAIN_ID)).toBeUndefined();
  });

  it('proves its sender against a false claim', async () => {
    expect(await signerOf({ ...(await signed(transaction)), from: LIAR }, CHAIN_ID)).toBe(from);
  });
});

it('rejects unsigned and foreign-chain transfers', async () => {
  const { r: _, ...unsigned } = await signed(TYPES[3]?.[1] as TransactionSerializable);
  expect(await signerOf(unsigned, CHAIN_ID)).toBeUndefined();
  expect(await signerOf(await signed(TYPES[3]?.[1] as TransactionSerializable), 1)).toBeUndefined();
  expect(await signerOf(await signed(TYPES[0]?.[1] as TransactionSerializable), 1)).toBeUndefined();
});

/** Scans one block with a node's transactions. @param elsewhere another host's transactions by hash */
async function scannedBlock(
  transactions: readonly WireTransaction[],
  elsewhere: readonly WireTransaction[] = [],
): Promise<ScannedBlock | undefined> {
  const chain = new SimulatedChain(() => undefined);
  chain.mine([...transactions]);
  const watched = new WatchedAddresses();
  watched.add(WALLET);
  const end = new AbortController();
  const request = async ({ params }: { params?: unknown }) =>
    elsewhere.find(({ hash }) => hash === (params as Hash[])[0]) ?? null;
  const hosts = () => [{ origin: 'https://other.example', request }];
  const options = {
    request: chain.request,
    watched,
    after: [],
    signal: end.signal,
    chainId: CHAIN_ID,
    clock: chain,
    hosts,
  };
  let scanned: ScannedBlock | undefined;
  for await (const event of scanBlocks(options)) {
    if (event.kind === 'block') scanned = event;
    end.abort();
  }
  return scanned;
}

describe('a scanned transfer', () => {
  const transfer = TYPES[3]?.[1] as TransactionSerializable;
  const SYSTEM: Address = '0x2222222222222222222222222222222222222222';

  it.each([
    ['another sender', LIAR],
    ['a credit from HyperCore', SYSTEM],
  ])('has its signer as sender where a node reports %s', async (_, false_) => {
    const reported = { ...(await signed(transfer)), from: false_ };
    const scanned = await scannedBlock([reported]);
    expect(scanned?.transfers).toMatchObject([{ transactionHash: reported.hash, from }]);
    expect(scanned?.mentions).toEqual([]);
  });

  it('is a mention where no host proves it', async () => {
    const { r: _, ...unsigned } = await signed(transfer);
    const scanned = await scannedBlock([unsigned]);
    expect(scanned?.transfers).toEqual([]);
    expect(scanned?.mentions).toEqual([{ transactionHash: unsigned.hash, address: WALLET }]);
    expect(scanned?.unproven).toMatchObject([{ transactionHash: unsigned.hash }]);
  });

  it('is taken from another host that proves it', async () => {
    const true_ = await signed(transfer);
    const { r: _, ...unsigned } = true_;
    const reported = { ...unsigned, from: SYSTEM, gasPrice: '0x0', value: numberToHex(parseEther('9')) } as const;
    const scanned = await scannedBlock([reported], [true_]);
    expect(scanned?.transfers).toMatchObject([{ transactionHash: true_.hash, from, amountWei: parseEther('0.5') }]);
  });
});
