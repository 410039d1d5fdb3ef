/** Methods that answer state, and which parameter names the block that they ignore. */
export const STATE_METHODS = {
  eth_call: 1,
  eth_estimateGas: 1,
  eth_getBalance: 1,
  eth_getCode: 1,
  eth_getStorageAt: 2,
  eth_getTransactionCount: 1,
} as const;

/**
 * What HyperEVM's public endpoint answers, as its documentation lists it, and `eth_sendRawTransaction`, by which everybody
 * sends. Nothing else is answered. Source: hyperevm § 1.
 */
export const METHODS = [
  'eth_bigBlockGasPrice',
  'eth_blockNumber',
  'eth_call',
  'eth_chainId',
  'eth_estimateGas',
  'eth_feeHistory',
  'eth_gasPrice',
  'eth_getBalance',
  'eth_getBlockByHash',
  'eth_getBlockByNumber',
  'eth_getBlockReceipts',
  'eth_getBlockTransactionCountByHash',
  'eth_getBlockTransactionCountByNumber',
  'eth_getCode',
  'eth_getLogs',
  'eth_getStorageAt',
  'eth_getSystemTxsByBlockHash',
  'eth_getSystemTxsByBlockNumber',
  'eth_getTransactionByBlockHashAndIndex',
  'eth_getTransactionByBlockNumberAndIndex',
  'eth_getTransactionByHash',
  'eth_getTransactionCount',
  'eth_getTransactionReceipt',
  'eth_maxPriorityFeePerGas',
  'eth_sendRawTransaction',
  'eth_syncing',
  'eth_usingBigBlocks',
  'net_version',
  'web3_clientVersion',
] as const;

/** A method of the public endpoint. */
export type Method = (typeof METHODS)[number];

/** Whether the public endpoint has this method. */
export function isMethod(name: string): name is Method {
  return (METHODS as readonly string[]).includes(name);
}
