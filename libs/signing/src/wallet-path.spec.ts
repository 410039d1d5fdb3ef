import { HDKey } from '@scure/bip32';
import { bytesToHex } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { walletAddresses } from './derivation.ts';
import { SeedKeyring } from './seed-keyring.ts';
import { InvalidWalletIndexError, indexInSeries, WALLETS_IN_SERIES, walletPath } from './wallet-path.ts';

const TEST_MNEMONIC = 'test test test test test test test test test test test junk';

describe('the path of a wallet', () => {
  it('is 0/i for a plain index', () => {
    expect(walletPath(0)).toEqual({ change: 0, index: 0 });
    expect(walletPath(2 ** 31 - 1)).toEqual({ change: 0, index: 2 ** 31 - 1 });
  });

  it('is series/n in a series, another for each', () => {
    const indexes = [1, 2, 30_000_000, 2 ** 31 - 1].flatMap((series) =>
      [0, 1, WALLETS_IN_SERIES - 1].map((n) => ({ series, n, index: indexInSeries(series, n) })),
    );
    for (const { series, n, index } of indexes) expect(walletPath(index)).toEqual({ change: series, index: n });
    expect(new Set(indexes.map(({ index }) => index)).size).toBe(indexes.length);
  });

  it.each([-1, 0.5, 2 ** 31, 2 ** 32, 2 ** 32 + WALLETS_IN_SERIES - 1, 2 ** 53, Number.NaN])('refuses %d', (index) => {
    expect(() => walletPath(index)).toThrow(InvalidWalletIndexError);
  });

  it('refuses a wallet beyond its series', () => {
    expect(() => indexInSeries(1, WALLETS_IN_SERIES)).toThrow(RangeError);
  });

  it('has the address of its private key', () => {
    const account = HDKey.fromMasterSeed(new Uint8Array(32).fill(7)).derive("m/44'/60'/0'");
    const addressAt = walletAddresses(account.publicExtendedKey);
    for (const [change, index] of [
      [1, 0],
      [2, 5],
      [0, 5],
      [30_000_000, 9],
    ] as const) {
      const { privateKey } = account.deriveChild(change).deriveChild(index);
      const walletIndex = change === 0 ? index : indexInSeries(change, index);
      expect(addressAt(walletIndex)).toBe(privateKeyToAddress(bytesToHex(privateKey as Uint8Array)));
    }
  });

  it('is the same for the signer', () => {
    const keyring = SeedKeyring.fromMnemonic(TEST_MNEMONIC);
    const addressAt = walletAddresses(keyring.accountXpub);
    for (const index of [0, 7, indexInSeries(1, 0), indexInSeries(123_456, 3)])
      expect(keyring.wallet(index).address).toBe(addressAt(index));
  });
});
