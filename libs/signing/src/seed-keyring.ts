import { readFile, stat } from 'node:fs/promises';
import type { HDKey } from '@scure/bip32';
import { bytesToHex, keccak256 } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { assertWalletIndex } from './derivation.ts';
import { accountKey } from './mnemonic.ts';
import type { SignedTransaction, Signer, UnsignedTransaction } from './signer.ts';

const GROUP_OR_WORLD = 0o077;

/** The seed file cannot be used; its content is never repeated in the message. */
export class SeedFileError extends Error {
  readonly code = 'SEED_FILE_UNUSABLE';

  constructor(path: string, problem: string) {
    super(`Seed file ${path} ${problem}`);
    this.name = 'SeedFileError';
  }
}

/** The wallets of one seed. Keys stay in private fields, so that no log or inspection prints them. Source: design § 6. */
export class SeedKeyring {
  readonly #external: HDKey;
  readonly #accountXpub: string;

  private constructor(account: HDKey) {
    this.#external = account.deriveChild(0);
    this.#accountXpub = account.publicExtendedKey;
  }

  /**
   * Reads the mnemonic of `MAKER_SEED_FILE`, once.
   * @throws SeedFileError when it is missing, or readable by group or others (mode 0400 is asked for)
   * @throws InvalidMnemonicError
   */
  static async fromFile(path: string): Promise<SeedKeyring> {
    const file = await stat(path).catch((error: NodeJS.ErrnoException) => {
      throw new SeedFileError(path, `cannot be read (${error.code ?? 'unknown error'})`);
    });
    if (!file.isFile()) throw new SeedFileError(path, 'is not a file');
    if ((file.mode & GROUP_OR_WORLD) !== 0) {
      throw new SeedFileError(path, `has mode 0${(file.mode & 0o777).toString(8)}: make it 0400, for its owner only`);
    }
    const mnemonic = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      throw new SeedFileError(path, `cannot be read (${error.code ?? 'unknown error'})`);
    });
    return new SeedKeyring(accountKey(mnemonic, `The content of ${path}`));
  }

  /** @throws InvalidMnemonicError */
  static fromMnemonic(mnemonic: string): SeedKeyring {
    return new SeedKeyring(accountKey(mnemonic));
  }

  /** Extended public key of `m/44'/60'/0'`: the one that service `job` must hold. */
  get accountXpub(): string {
    return this.#accountXpub;
  }

  /** Signer of `m/44'/60'/0'/0/index`. @throws InvalidWalletIndexError */
  wallet(index: number): Signer {
    assertWalletIndex(index);
    const { privateKey } = this.#external.deriveChild(index);
    if (!privateKey) throw new Error(`The seed has no private key for wallet ${index}`);
    return new LocalSigner(privateKeyToAccount(bytesToHex(privateKey)));
  }
}

class LocalSigner implements Signer {
  readonly #account: PrivateKeyAccount;

  constructor(account: PrivateKeyAccount) {
    this.#account = account;
  }

  get address() {
    return this.#account.address;
  }

  async signTransaction(transaction: UnsignedTransaction): Promise<SignedTransaction> {
    const rawTransaction = await this.#account.signTransaction({
      type: 'eip1559',
      chainId: transaction.chainId,
      nonce: transaction.nonce,
      to: transaction.to,
      value: transaction.valueWei,
      data: transaction.data,
      gas: transaction.gas,
      maxFeePerGas: transaction.maxFeePerGasWei,
      maxPriorityFeePerGas: transaction.maxPriorityFeePerGasWei,
    });
    return { rawTransaction, hash: keccak256(rawTransaction) };
  }
}
