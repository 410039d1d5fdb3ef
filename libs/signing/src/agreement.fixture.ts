import type { Agreement, Amendment, SignedTerms } from '@maker/contracts';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { bytesToHex, type Hash, hexToBytes } from 'viem';
import { AgreementKey, type AmendedTerms } from './agreement-key.ts';
import { agreementHash, amendmentHash } from './agreement-typed-data.ts';

/** A public key of agreements, for specs and demonstrations. */
export const TEST_AGREEMENT_KEY = `0x${'a7'.repeat(32)}` as const;

/** Signs with {@link TEST_AGREEMENT_KEY}. */
export const testAgreementKey = AgreementKey.of(TEST_AGREEMENT_KEY);

/** An agreement for 0.5 HYPE. */
export function agreementFixture(differences: Partial<Agreement> = {}): Agreement {
  return {
    jobId: `job_${'a'.repeat(32)}`,
    chainId: 31337,
    wallet: `0x${'2'.repeat(40)}`,
    tokenAddress: `0x${'1'.repeat(40)}`,
    amountWei: '500000000000000000',
    leastWei: '495000000000000000',
    deadline: '2026-01-01T00:15:00.000Z',
    returnAddress: null,
    seenPriceX96: '79228162514264337593543950336',
    bandBps: 1000,
    slippageBps: 100,
    impactCapBps: 50,
    latestEndAt: '2026-01-03T00:00:00.000Z',
    stopSecretHash: 'ab'.repeat(32),
    claim: 'cd'.repeat(32),
    createdAt: '2026-01-01T00:00:00.000Z',
    ...differences,
  };
}

/** Signs an agreement and changes of it, at once. @param privateKey of another signer */
export function termsFixture(
  agreement: Agreement,
  changes: readonly AmendedTerms[] = [],
  privateKey: `0x${string}` = TEST_AGREEMENT_KEY,
): SignedTerms {
  const { jobId, chainId, createdAt } = agreement;
  const amendments: SignedTerms['amendments'] = [];
  let previous = agreementHash(agreement);
  for (const [index, change] of changes.entries()) {
    const unchanged = { returnAddress: null, leastWei: null, activation: null };
    const amendment: Amendment = { jobId, sequence: index + 1, previous, ...unchanged, ...change, createdAt };
    previous = amendmentHash(amendment, chainId);
    amendments.push({ amendment, signature: signatureOf(previous, privateKey) });
  }
  return { agreement, signature: signatureOf(agreementHash(agreement), privateKey), amendments };
}

function signatureOf(hash: Hash, privateKey: `0x${string}`): `0x${string}` {
  const options = { prehash: false, format: 'recovered' } as const;
  const [recovery = 0, ...compact] = secp256k1.sign(hexToBytes(hash), hexToBytes(privateKey), options);
  return bytesToHex(Uint8Array.from([...compact, recovery + 27]));
}
