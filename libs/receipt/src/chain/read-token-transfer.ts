import { type Address, decodeFunctionData, type Hex, parseAbi } from 'viem';

const transferAbi = parseAbi(['function transfer(address to, uint256 amount) returns (bool)']);

/** Reads the call that sends tokens. Address in lower case. @returns undefined for any other call */
export function readTokenTransfer(input: Hex): { readonly to: Address; readonly amount: bigint } | undefined {
  try {
    const [to, amount] = decodeFunctionData({ abi: transferAbi, data: input }).args;
    return { to: to.toLowerCase() as Address, amount };
  } catch {
    // The library throws for what is not in the ABI.
    return undefined;
  }
}
