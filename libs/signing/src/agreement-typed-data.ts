import type { Agreement, Amendment, SignedAgreement, SignedTerms } from '@maker/contracts';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import {
  type Address,
  bytesToHex,
  type Hash,
  type Hex,
  hashTypedData,
  hexToBytes,
  isAddressEqual,
  zeroAddress,
} from 'viem';
import { publicKeyToAddress } from 'viem/accounts';

const ms = (time: string) => BigInt(Date.parse(time));

/** The domain has no contract, so that no exchange or token accepts a signature as a permission. */
const domainOf = (chainId: number) => ({ name: 'HyperEVM Maker agreement', version: '1', chainId });

/**
 * The typed data of an agreement. Times are in ms since 1970, and the zero address stands for none. Source: docs/adr/0145.
 */
export function agreementTypedData(agreement: Agreement) {
  return {
    domain: domainOf(agreement.chainId),
    types: {
      Agreement: [
        { name: 'jobId', type: 'string' },
        { name: 'wallet', type: 'address' },
        { name: 'tokenAddress', type: 'address' },
        { name: 'amountWei', type: 'uint256' },
        { name: 'leastWei', type: 'uint256' },
        { name: 'deadline', type: 'uint64' },
        { name: 'returnAddress', type: 'address' },
        { name: 'seenPriceX96', type: 'uint256' },
        { name: 'bandBps', type: 'uint32' },
        { name: 'slippageBps', type: 'uint32' },
        { name: 'impactCapBps', type: 'uint32' },
        { name: 'latestEndAt', type: 'uint64' },
        { name: 'stopSecretHash', type: 'bytes32' },
        { name: 'claim', type: 'bytes32' },
        { name: 'createdAt', type: 'uint64' },
      ],
    },
    primaryType: 'Agreement',
    message: {
      jobId: agreement.jobId,
      wallet: agreement.wallet,
      tokenAddress: agreement.tokenAddress,
      amountWei: BigInt(agreement.amountWei),
      leastWei: BigInt(agreement.leastWei),
      deadline: ms(agreement.deadline),
      returnAddress: agreement.returnAddress ?? zeroAddress,
      seenPriceX96: BigInt(agreement.seenPriceX96),
      bandBps: agreement.bandBps,
      slippageBps: agreement.slippageBps,
      impactCapBps: agreement.impactCapBps,
      latestEndAt: ms(agreement.latestEndAt),
      stopSecretHash: `0x${agreement.stopSecretHash}`,
      claim: `0x${agreement.claim}`,
      createdAt: ms(agreement.createdAt),
    },
  } as const;
}

/**
 * The typed data of an amendment. Zero stands for a term that it does not change, and the activation is absent if its deposit is 0.
 * The time between orders may be a fraction of a millisecond, so that it is signed as text. Source: docs/adr/0142.
 */
export function amendmentTypedData({ activation, ...amendment }: Amendment, chainId: number) {
  return {
    domain: domainOf(chainId),
    types: {
      Amendment: [
        { name: 'jobId', type: 'string' },
        { name: 'sequence', type: 'uint32' },
        { name: 'previous', type: 'bytes32' },
        { name: 'returnAddress', type: 'address' },
        { name: 'leastWei', type: 'uint256' },
        { name: 'depositWei', type: 'uint256' },
        { name: 'paidAt', type: 'uint64' },
        { name: 'payer', type: 'address' },
        { name: 'slotMs', type: 'string' },
        { name: 'tradingEndsAt', type: 'uint64' },
        { name: 'latestEndAt', type: 'uint64' },
        { name: 'createdAt', type: 'uint64' },
      ],
    },
    primaryType: 'Amendment',
    message: {
      jobId: amendment.jobId,
      sequence: amendment.sequence,
      previous: amendment.previous,
      returnAddress: amendment.returnAddress ?? zeroAddress,
      leastWei: BigInt(amendment.leastWei ?? 0),
      depositWei: BigInt(activation?.depositWei ?? 0),
      paidAt: activation ? ms(activation.paidAt) : 0n,
      payer: activation?.payer ?? zeroAddress,
      slotMs: activation ? String(activation.slotMs) : '',
      tradingEndsAt: activation ? ms(activation.tradingEndsAt) : 0n,
      latestEndAt: activation ? ms(activation.latestEndAt) : 0n,
      createdAt: ms(amendment.createdAt),
    },
  } as const;
}

/** Hash of an agreement, which its first amendment names. */
export function agreementHash(agreement: Agreement): Hash {
  return hashTypedData(agreementTypedData(agreement));
}

/** Hash of an amendment, which the next one names. */
export function amendmentHash(amendment: Amendment, chainId: number): Hash {
  return hashTypedData(amendmentTypedData(amendment, chainId));
}

/** A signed hash and the key that signed it. */
export interface FoundSignature {
  readonly hash: Hash;
  /** Undefined for bytes that are no signature. */
  readonly signer: Address | undefined;
}

/** The signatures of an agreement and its amendments, in order. It recovers each key once, which takes a millisecond. */
export function signaturesOf({
  agreement,
  signature,
  amendments,
}: SignedTerms): readonly [FoundSignature, ...FoundSignature[]] {
  const found = (hash: Hash, bytes: string) => ({ hash, signer: signerOf(hash, bytes) });
  return [
    found(agreementHash(agreement), signature),
    ...amendments.map((one) => found(amendmentHash(one.amendment, agreement.chainId), one.signature)),
  ];
}

/** Whether one of these keys signed: the current one, or the one before during a change of the key. */
export function isSignedByOne({ signer }: Pick<FoundSignature, 'signer'>, signers: readonly Address[]): boolean {
  return signer !== undefined && signers.some((one) => isAddressEqual(one, signer));
}

/** Whether one of these signers signed an agreement. */
export function isAgreementSigned({ agreement, signature }: SignedAgreement, signers: readonly Address[]): boolean {
  return isSignedByOne({ signer: signerOf(agreementHash(agreement), signature) }, signers);
}

/** @returns undefined for bytes that are no signature */
function signerOf(hash: Hash, signature: string): Address | undefined {
  const [compact, v] = [signature.slice(2, 130), signature.slice(130)];
  if (signature.length !== 132 || (v !== '1b' && v !== '1c')) return undefined;
  try {
    const recovery = v === '1b' ? 0 : 1;
    const point = secp256k1.Signature.fromHex(compact).addRecoveryBit(recovery).recoverPublicKey(hexToBytes(hash));
    return publicKeyToAddress(bytesToHex(point.toBytes(false)) as Hex);
  } catch {
    return undefined;
  }
}
