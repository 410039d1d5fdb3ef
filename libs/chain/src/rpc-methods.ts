/** A JSON-RPC method that the product calls. */
export interface RpcMethod {
  readonly method: string;
  /** What does not go where an endpoint lacks it. */
  readonly without: string;
  /** False where the product has another way, or does without. */
  readonly needed: boolean;
}

const needed = (method: string, without: string): RpcMethod => ({ method, without, needed: true });
const optional = (method: string, without: string): RpcMethod => ({ method, without, needed: false });

/** Every JSON-RPC method that the product calls; its specification holds it to the sources. */
export const RPC_METHODS: readonly RpcMethod[] = [
  needed('eth_chainId', 'nothing starts'),
  needed('eth_blockNumber', 'the scan finds no head'),
  needed('eth_getBlockByNumber', 'no payment is seen'),
  needed('eth_getBlockByHash', 'the base fee is not known after a big block'),
  needed('eth_call', 'nothing is quoted, tried or polled'),
  needed('eth_getBalance', 'no rest is returned'),
  needed('eth_getCode', 'an address without a contract is not told from a token'),
  needed('eth_getTransactionCount', 'nothing is signed'),
  needed('eth_estimateGas', 'nothing is delivered or returned'),
  needed('eth_getTransactionByHash', 'a transaction that was lost is not told from one that waits'),
  needed('eth_getTransactionReceipt', 'no payment is credited'),
  needed('eth_getBlockReceipts', 'no order is seen as mined'),
  needed('eth_feeHistory', 'no order is placed while blocks are full'),
  needed('eth_sendRawTransaction', 'nothing is sent'),
  optional('eth_getSystemTxsByBlockNumber', 'how money came from HyperCore is not known: it is told by its balance'),
];
