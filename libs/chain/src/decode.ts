import {
  type Abi,
  type ContractFunctionName,
  type DecodeFunctionResultReturnType,
  decodeFunctionResult,
  type Hex,
} from 'viem';

/**
 * Decodes what a read returned, or gives undefined where it reverted or returned something else (a contract of another
 * shape, or no contract at all).
 */
export function decodeOrUndefined<const ContractAbi extends Abi, Name extends ContractFunctionName<ContractAbi>>(
  abi: ContractAbi,
  functionName: Name,
  data: Hex | undefined,
): DecodeFunctionResultReturnType<ContractAbi, Name> | undefined {
  if (data === undefined || data === '0x') return undefined;
  try {
    return decodeFunctionResult({ abi, functionName, data } as never) as never;
  } catch {
    return undefined;
  }
}
