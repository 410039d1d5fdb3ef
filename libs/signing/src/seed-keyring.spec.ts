import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { parseTransaction, recoverTransactionAddress, recoverTypedDataAddress } from 'viem';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deriveAddress, InvalidWalletIndexError } from './derivation.ts';
import { accountXpub, InvalidMnemonicError } from './mnemonic.ts';
import { SeedFileError } from './seed-file.ts';
import { SeedKeyring } from './seed-keyring.ts';

const MNEMONIC = 'test test test test test test test test test test test junk';
const FIRST_PRIVATE_KEY = 'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';

const NOTE = {
  domain: { name: 'a test', chainId: 999 },
  types: { Note: [{ name: 'text', type: 'string' }] },
  primaryType: 'Note',
  message: { text: 'hello' },
} as const;

describe('SeedKeyring', () => {
  let directory: string;
  let seedFile: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'maker-seed-'));
    seedFile = join(directory, 'seed');
    await writeFile(seedFile, `${MNEMONIC}\n`, { mode: 0o400 });
  });

  afterEach(() => rm(directory, { recursive: true }));

  it('holds the xpub’s private keys', async () => {
    const keyring = await SeedKeyring.fromFile(seedFile);
    expect(keyring.accountXpub).toBe(accountXpub(MNEMONIC));
    for (const index of [0, 1, 77]) {
      expect(keyring.wallet(index).address).toBe(deriveAddress(keyring.accountXpub, index));
    }
  });

  it('signs every field with the chain’s hash', async () => {
    const signer = (await SeedKeyring.fromFile(seedFile)).wallet(0);
    const transaction = {
      chainId: 31337,
      nonce: 7,
      to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      valueWei: 12n,
      data: '0xabcd',
      gas: 50_000n,
      maxFeePerGasWei: 9n,
      maxPriorityFeePerGasWei: 3n,
    } as const;
    const { rawTransaction, hash } = await signer.signTransaction(transaction);

    const parsed = parseTransaction(rawTransaction as `0x02${string}`);
    expect(parsed).toMatchObject({
      type: 'eip1559',
      chainId: 31337,
      nonce: 7,
      to: transaction.to.toLowerCase(),
      value: 12n,
      data: '0xabcd',
      gas: 50_000n,
      maxFeePerGas: 9n,
      maxPriorityFeePerGas: 3n,
    });
    expect(await recoverTransactionAddress({ serializedTransaction: rawTransaction as `0x02${string}` })).toBe(
      signer.address,
    );
    expect((await signer.signTransaction(transaction)).hash).toBe(hash);
  });

  it.each([0o440, 0o404, 0o644])('rejects a seed file of mode %o', async (mode) => {
    await chmod(seedFile, mode);
    await expect(SeedKeyring.fromFile(seedFile)).rejects.toThrow(SeedFileError);
  });

  it('rejects a missing file or invalid mnemonic silently', async () => {
    await expect(SeedKeyring.fromFile(join(directory, 'none'))).rejects.toThrow(/ENOENT/);
    const wrong = join(directory, 'wrong');
    await writeFile(wrong, 'canary canary canary', { mode: 0o400 });
    const failure = SeedKeyring.fromFile(wrong);
    await expect(failure).rejects.toThrow(InvalidMnemonicError);
    await expect(failure).rejects.toThrow(`The content of ${wrong} is not a BIP-39 mnemonic`);
    await expect(failure).rejects.not.toThrow(/canary/);
  });

  it.each([-1, 0.5, 2 ** 31])('has no wallet %d beyond derivation', (index) => {
    expect(() => SeedKeyring.fromMnemonic(MNEMONIC).wallet(index)).toThrow(InvalidWalletIndexError);
  });

  it('signs typed data as its wallet', async () => {
    const wallet = SeedKeyring.fromMnemonic(MNEMONIC).wallet(3);
    const signature = await wallet.signTypedData(NOTE);
    expect(await recoverTypedDataAddress({ ...NOTE, signature })).toBe(wallet.address);
  });

  it('derives the key of a wallet once', () => {
    const keyring = SeedKeyring.fromMnemonic(MNEMONIC);
    expect(keyring.wallet(3)).toBe(keyring.wallet(3));
    expect(keyring.wallet(4).address).not.toBe(keyring.wallet(3).address);
  });

  it('prints no key', async () => {
    const keyring = await SeedKeyring.fromFile(seedFile);
    const printed = [keyring, keyring.wallet(0)]
      .map((value) => inspect(value, { depth: 10, showHidden: true }) + JSON.stringify(value))
      .join();
    expect(printed).not.toMatch(/junk/);
    expect(printed).not.toMatch(new RegExp(FIRST_PRIVATE_KEY, 'i'));
  });
});
