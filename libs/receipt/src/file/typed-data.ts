import type { Hash } from 'viem';
import type { ReceiptHead } from './receipt-file.ts';

/**
 * The typed data of a receipt that the job's wallet signs (EIP-712). The domain has chain and wallet, so a signature is not valid
 * for another job or chain. The message has the hash of the content.
 * @param contentHash see `contentHashOf`
 */
export function receiptTypedData(
  { chainId, wallet, jobId, state }: Pick<ReceiptHead, 'chainId' | 'wallet' | 'jobId' | 'state'>,
  contentHash: Hash,
) {
  return {
    domain: { name: 'HyperEVM Maker receipt', version: '1', chainId, verifyingContract: wallet },
    types: {
      Receipt: [
        { name: 'jobId', type: 'string' },
        { name: 'state', type: 'string' },
        { name: 'contentHash', type: 'bytes32' },
      ],
    },
    primaryType: 'Receipt',
    message: { jobId, state, contentHash },
  } as const;
}
