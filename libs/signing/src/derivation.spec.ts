import { HDKey } from '@scure/bip32';
import { mnemonicToSeedSync } from '@scure/bip39';
import { bytesToHex } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { deriveAddress, InvalidAccountXpubError, InvalidWalletIndexError, walletAddresses } from './derivation.ts';

const root = HDKey.fromMasterSeed(mnemonicToSeedSync('test test test test test test test test test test test junk'));
const account = root.derive("m/44'/60'/0'");

describe('deriveAddress', () => {
  it.each([
    [0, '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'],
    [1, '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'],
    [9, '0xa0Ee7A142d267C1f36714E4a8F75612F20a79720'],
  ])('derives the public mnemonic’s address %i by xpub', (index, address) => {
    expect(deriveAddress(account.publicExtendedKey, index)).toBe(address);
  });

  it('matches private and public derivation', () => {
    for (let seed = 1; seed <= 3; seed += 1) {
      const other = HDKey.fromMasterSeed(new Uint8Array(32).fill(seed)).derive("m/44'/60'/0'");
      const addressAt = walletAddresses(other.publicExtendedKey);
      for (const index of [0, 1, seed * 257, seed * 65_537, 2 ** 31 - seed]) {
        const { privateKey } = other.deriveChild(0).deriveChild(index);
        if (!privateKey) throw new Error('no private key');
        expect(addressAt(index)).toBe(privateKeyToAddress(bytesToHex(privateKey)));
      }
    }
  });

  it('rejects a private key without repeating it', () => {
    const xprv = account.privateExtendedKey;
    expect(() => deriveAddress(xprv, 0)).toThrow(InvalidAccountXpubError);
    expect(() => deriveAddress(xprv, 0)).toThrow(/private key/);
    expect(() => deriveAddress(xprv, 0)).not.toThrow(new RegExp(xprv));
  });

  it('reads a key with its line end', () => {
    const xpub = account.publicExtendedKey;
    expect(deriveAddress(` ${xpub}\n`, 1)).toBe(deriveAddress(xpub, 1));
  });

  it('names a wrong key or index by code', () => {
    expect(() => deriveAddress('xpub-of-nothing', 0)).toThrow(
      expect.objectContaining({ name: 'InvalidAccountXpubError', code: 'INVALID_ACCOUNT_XPUB' }),
    );
    expect(() => deriveAddress(account.publicExtendedKey, -1)).toThrow(
      expect.objectContaining({
        name: 'InvalidWalletIndexError',
        code: 'INVALID_WALLET_INDEX',
        message: '-1 is not a wallet index: expected an integer from 0 to 2147483647',
      }),
    );
  });

  it('rejects a malformed key or wrong level', () => {
    expect(() => deriveAddress('xpub-of-nothing', 0)).toThrow(/cannot be read/);
    expect(() => deriveAddress(root.publicExtendedKey, 0)).toThrow(/depth 0/);
  });

  it.each([-1, 1.5, 2 ** 31])('refuses %d as the index of a child', (index) => {
    expect(() => deriveAddress(account.publicExtendedKey, index)).toThrow(InvalidWalletIndexError);
  });
});
