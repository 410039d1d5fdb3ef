import { type Address, type Hash, type Hex, verifyTypedData } from 'viem';

/**
 * What the first wallet of a seed signs to prove the seed: a domain without chain and contract, so that no exchange or token takes the
 * signature for a permission. Source: docs/adr/0096.
 * @param challenge 32 random bytes of the one who asks
 */
export function seedProofTypedData(challenge: Hash) {
  return {
    domain: { name: 'HyperEVM Maker seed', version: '1' },
    types: { Proof: [{ name: 'challenge', type: 'bytes32' }] },
    primaryType: 'Proof',
    message: { challenge },
  } as const;
}

/** Whether a wallet signed the proof of a challenge. */
export async function isSeedProof(firstWallet: Address, challenge: Hash, signature: Hex): Promise<boolean> {
  const signed = { address: firstWallet, ...seedProofTypedData(challenge), signature };
  // A signature that is none throws.
  return verifyTypedData(signed).catch(() => false);
}
