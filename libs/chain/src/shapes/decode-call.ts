import { type Abi, type DecodeFunctionDataReturnType, decodeFunctionData, type Hex } from 'viem';

/** Decodes a call, or gives undefined for one that is not in the ABI. */
export function decodeCall<const ContractAbi extends Abi>(
  abi: ContractAbi,
  data: Hex,
): DecodeFunctionDataReturnType<ContractAbi> | undefined {
  try {
    return decodeFunctionData({ abi, data });
  } catch {
    // The library throws for what is not in the ABI.
    return undefined;
  }
}
