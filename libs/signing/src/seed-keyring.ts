import type { HDKey } from '@scure/bip32';
import { LRUCache } from 'lru-cache';
import { bytesToHex, type Hex, keccak256, parseSignature, type TypedDataDefinition } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { accountKey } from './mnemonic.ts';
import { readSeedFile } from './seed-file.ts';
import { type SignedTransaction, typeTwo, type UnsignedTransaction, type WalletSigner } from './signer.ts';
import { type SignedSpotSend, type SpotSend, spotSendAction, spotSendTypedData } from './spot-send.ts';
import { walletPath } from './wallet-path.ts';

/** Cached wallet keys: a derivation takes as long as three signatures, and a trading wallet signs every few seconds. */
const WALLETS_KEPT = 1000;

/** The wallets of one seed. Private fields hold the keys, so that no log or inspection prints them. Source: design § 6. */
export class SeedKeyring {
  readonly #account: HDKey;
  readonly #accountXpub: string;
  readonly #wallets = new LRUCache<number, WalletSigner>({ max: WALLETS_KEPT });

  private constructor(account: HDKey) {
    this.#account = account;
    this.#accountXpub = account.publicExtendedKey;
  }

  /**
   * Reads the mnemonic of `MAKER_SEED_FILE` once.
   * @param passphraseFile `MAKER_SEED_PASSPHRASE_FILE`, for a seed file that `age --passphrase` encrypted
   * @throws SeedFileError when a file is missing, readable by group or others (mode 0400 is required), or its encryption
   * does not match the configuration
   * @throws InvalidMnemonicError
   */
  static async fromFile(path: string, passphraseFile?: string): Promise<SeedKeyring> {
    return new SeedKeyring(accountKey(await readSeedFile(path, passphraseFile), `The content of ${path}`));
  }

  /** @throws InvalidMnemonicError */
  static fromMnemonic(mnemonic: string): SeedKeyring {
    return new SeedKeyring(accountKey(mnemonic));
  }

  /** Extended public key of `m/44'/60'/0'`: the one that service `job` must hold. */
  get accountXpub(): string {
    return this.#accountXpub;
  }

  /** Signer of the wallet with an index, at its path. @throws InvalidWalletIndexError */
  wallet(walletIndex: number): WalletSigner {
    const known = this.#wallets.get(walletIndex);
    if (known) return known;
    const { change, index } = walletPath(walletIndex);
    const { privateKey } = this.#account.deriveChild(change).deriveChild(index);
    if (!privateKey) throw new Error(`The seed has no private key for wallet ${walletIndex}`);
    const wallet = new LocalSigner(privateKeyToAccount(bytesToHex(privateKey)));
    this.#wallets.set(walletIndex, wallet);
    return wallet;
  }
}

class LocalSigner implements WalletSigner {
  readonly #account: PrivateKeyAccount;

  constructor(account: PrivateKeyAccount) {
    this.#account = account;
  }

  get address() {
    return this.#account.address;
  }

  async signTransaction(transaction: UnsignedTransaction): Promise<SignedTransaction> {
    const rawTransaction = await this.#account.signTransaction(typeTwo(transaction));
    return { rawTransaction, hash: keccak256(rawTransaction) };
  }

  async signSpotSend(send: SpotSend): Promise<SignedSpotSend> {
    const action = spotSendAction(send);
    const { r, s, yParity } = parseSignature(await this.#account.signTypedData(spotSendTypedData(action)));
    return { action, nonce: send.timeMs, signature: { r, s, v: 27 + yParity } };
  }

  signTypedData(typedData: TypedDataDefinition): Promise<Hex> {
    return this.#account.signTypedData(typedData);
  }
}
