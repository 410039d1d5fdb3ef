import { HDKey } from '@scure/bip32';
import { generateMnemonic, mnemonicToSeedSync, validateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';

const ACCOUNT_PATH = "m/44'/60'/0'";
/** Bits of a phrase of 24 words. */
const STRENGTH_BITS = 256;

/** A new BIP-39 mnemonic of 24 words, from the system's random source. */
export function newMnemonic(): string {
  return generateMnemonic(wordlist, STRENGTH_BITS);
}

/** The text is no BIP-39 mnemonic in English; the message never contains the text. */
export class InvalidMnemonicError extends Error {
  readonly code = 'INVALID_MNEMONIC';

  constructor(source: string) {
    super(`${source} is not a BIP-39 mnemonic in English (word list or checksum)`);
    this.name = 'InvalidMnemonicError';
  }
}

/**
 * The private account key `m/44'/60'/0'` of a mnemonic without passphrase. It must never leave this folder.
 * @param source name for the error, in place of the mnemonic
 * @throws InvalidMnemonicError
 */
export function accountKey(mnemonic: string, source = 'The mnemonic'): HDKey {
  const words = mnemonic.trim().split(/\s+/).join(' ');
  if (!validateMnemonic(words, wordlist)) throw new InvalidMnemonicError(source);
  return HDKey.fromMasterSeed(mnemonicToSeedSync(words)).derive(ACCOUNT_PATH);
}

/**
 * Extended public key of `m/44'/60'/0'`, from which service `job` derives addresses (`JOB_ACCOUNT_XPUB`).
 * @throws InvalidMnemonicError
 */
export function accountXpub(mnemonic: string): string {
  return accountKey(mnemonic).publicExtendedKey;
}
