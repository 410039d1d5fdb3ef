import { describe, expect, it } from 'vitest';
import { deriveAddress } from './derivation.ts';
import { newMnemonic } from './mnemonic.ts';
import { SeedKeyring } from './seed-keyring.ts';
import { isSeedProof, seedProofTypedData } from './seed-proof.ts';

const CHALLENGE = `0x${'c1'.repeat(32)}` as const;
const keyring = SeedKeyring.fromMnemonic(newMnemonic());
const firstWallet = deriveAddress(keyring.accountXpub, 0);
const prove = (signer: SeedKeyring) => signer.wallet(0).signTypedData(seedProofTypedData(CHALLENGE));

describe('isSeedProof', () => {
  it('accepts the seed of the xpub', async () => {
    expect(await isSeedProof(firstWallet, CHALLENGE, await prove(keyring))).toBe(true);
  });

  it('refuses another seed', async () => {
    const another = SeedKeyring.fromMnemonic(newMnemonic());
    expect(await isSeedProof(firstWallet, CHALLENGE, await prove(another))).toBe(false);
  });

  it('refuses the proof of an earlier challenge', async () => {
    expect(await isSeedProof(firstWallet, `0x${'c2'.repeat(32)}`, await prove(keyring))).toBe(false);
  });

  it.each(['0x', `0x${'00'.repeat(65)}`, `0x${'ff'.repeat(65)}`] as const)('refuses %s', async (signature) => {
    expect(await isSeedProof(firstWallet, CHALLENGE, signature)).toBe(false);
  });
});
