import type { Hash } from 'viem';
import type { ReceiptHead } from './receipt-file.ts';

/**
 * What the job's wallet signs for a receipt (EIP-712). Chain and wallet are in the domain, so that no signature holds
 * for another job or chain; the content is in the message by its hash.
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
