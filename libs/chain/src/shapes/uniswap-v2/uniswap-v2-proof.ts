import { parseAbi } from 'viem';
import { decodeCall } from '../decode-call.ts';
import { pairProof } from '../pair-proof.ts';

const buyAbi = parseAbi([
  'function swapExactETHForTokensSupportingFeeOnTransferTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline) payable',
]);

/** How a purchase on the Uniswap V2 shape is proven. */
export const uniswapV2Proof = pairProof((input) => {
  const call = decodeCall(buyAbi, input);
  if (!call) return undefined;
  const [minimumTokens, path, recipient, deadlineSeconds] = call.args;
  return { minimumTokens, path, recipient, deadlineSeconds };
});
