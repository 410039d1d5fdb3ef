import { parseAbi, zeroAddress } from 'viem';
import { decodeCall } from '../decode-call.ts';
import { pairProof } from '../pair-proof.ts';

const buyAbi = parseAbi([
  'function swapExactETHForTokensSupportingFeeOnTransferTokens(uint256 amountOutMin, address[] path, address to, address referrer, uint256 deadline) payable',
]);

/** How a purchase on the Camelot shape is proven. A referrer gets a share of the pool's fee. */
export const camelotV2Proof = pairProof((input) => {
  const call = decodeCall(buyAbi, input);
  if (!call) return undefined;
  const [minimumTokens, path, recipient, referrer, deadlineSeconds] = call.args;
  const aside = referrer === zeroAddress ? undefined : `names ${referrer} as its referrer, who is paid for it`;
  return { minimumTokens, path, recipient, deadlineSeconds, ...(aside && { aside }) };
});
