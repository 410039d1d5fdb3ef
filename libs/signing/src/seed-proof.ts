import { type Address, type Hash, type Hex, verifyTypedData } from 'viem';

/**
 * The typed data that a seed's first wallet signs to prove the seed. Its domain has no chain and no contract, so that no exchange or token
 * accepts the signature as a permission. Source: docs/adr/0096.
 * @param challenge 32 random bytes of the caller
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
  // A malformed signature throws.
  return verifyTypedData(signed).catch(() => false);
}
