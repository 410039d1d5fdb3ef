import type { Agreement, SignedAgreement } from '@maker/contracts';
import { type Address, type Hex, hashTypedData, isAddressEqual, recoverTypedDataAddress, zeroAddress } from 'viem';

/**
 * The typed data of an agreement. Its domain has no contract, so that no exchange or token accepts the signature as a permission.
 * Times are in ms since 1970, and the zero address stands for none. Source: docs/adr/0145.
 */
export function agreementTypedData(agreement: Agreement) {
  const ms = (time: string) => BigInt(Date.parse(time));
  return {
    domain: { name: 'HyperEVM Maker agreement', version: '1', chainId: agreement.chainId },
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

/** Hash of an agreement, by which others name it. */
export function agreementHash(agreement: Agreement): Hex {
  return hashTypedData(agreementTypedData(agreement));
}

/** Whether one of these signers signed an agreement: the current one, or the one before during a rotation. */
export async function isAgreementSigned(
  { agreement, signature }: SignedAgreement,
  signers: readonly Address[],
): Promise<boolean> {
  const signed = { ...agreementTypedData(agreement), signature: signature as Hex };
  // A malformed signature throws.
  const signer = await recoverTypedDataAddress(signed).catch(() => undefined);
  return signer !== undefined && signers.some((one) => isAddressEqual(one, signer));
}
