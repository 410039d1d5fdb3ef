import { parseAbi } from 'viem';

/** The part of Multicall3 that the product calls. Source: hyperevm § 1. */
export const multicall3Abi = parseAbi([
  'struct Call3 { address target; bool allowFailure; bytes callData; }',
  'struct Call3Value { address target; bool allowFailure; uint256 value; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3(Call3[] calls) payable returns (Result[] returnData)',
  'function aggregate3Value(Call3Value[] calls) payable returns (Result[] returnData)',
  'function getBlockNumber() view returns (uint256)',
  'function getEthBalance(address owner) view returns (uint256)',
]);
