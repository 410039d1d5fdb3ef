export { accountXpub, InvalidMnemonicError } from './mnemonic.ts';
export { SeedFileError } from './seed-file.ts';
export { SeedKeyring } from './seed-keyring.ts';
export type { SignedTransaction, Signer, UnsignedTransaction } from './signer.ts';
