export { accountXpub, InvalidMnemonicError } from './mnemonic.ts';
export { SeedFileError, SeedKeyring } from './seed-keyring.ts';
export type { SignedTransaction, Signer, UnsignedTransaction } from './signer.ts';
