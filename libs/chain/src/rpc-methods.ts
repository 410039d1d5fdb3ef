/** A JSON-RPC method that the product calls. */
export interface RpcMethod {
  readonly method: string;
  /** The effect if an endpoint lacks the method. */
  readonly without: string;
  /** False where the product has another way, or works without the method. */
  readonly needed: boolean;
}

const needed = (method: string, without: string): RpcMethod => ({ method, without, needed: true });
const optional = (method: string, without: string): RpcMethod => ({ method, without, needed: false });

/** Every JSON-RPC method that the product calls; a spec compares the list with the sources. */
export const RPC_METHODS: readonly RpcMethod[] = [
  needed('eth_chainId', 'nothing starts'),
  needed('eth_blockNumber', 'the scan finds no head'),
  needed('eth_getBlockByNumber', 'no payment is seen'),
  needed('eth_getBlockByHash', 'the base fee is not known after a big block'),
  needed('eth_call', 'nothing is quoted, tried or polled'),
  needed('eth_getBalance', 'no rest is returned'),
  needed('eth_getCode', 'a token and an address without a contract look the same'),
  needed('eth_getTransactionCount', 'nothing is signed'),
  needed('eth_estimateGas', 'nothing is delivered or returned'),
  needed('eth_getTransactionByHash', 'lost and pending transactions look the same'),
  needed('eth_getTransactionReceipt', 'no payment is credited'),
  needed('eth_getBlockReceipts', 'no order is seen as mined'),
  needed('eth_feeHistory', 'no order is placed while blocks are full'),
  needed('eth_sendRawTransaction', 'nothing is sent'),
  optional('eth_getSystemTxsByBlockNumber', 'only the balance shows money from HyperCore'),
];
