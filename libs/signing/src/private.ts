export { accountXpub, InvalidMnemonicError, newMnemonic } from './mnemonic.ts';
export { readOperatorKeyFile, readSeedFile, SeedFileError } from './seed-file.ts';
export { SeedKeyring } from './seed-keyring.ts';
export { seedProofTypedData } from './seed-proof.ts';
export type { SignedTransaction, Signer, UnsignedTransaction, WalletSigner } from './signer.ts';
export type { SignedSpotSend, SpotSend } from './spot-send.ts';
