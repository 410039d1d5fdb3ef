import type { Hex, RpcBlock, RpcTransaction, RpcTransactionReceipt } from 'viem';

/** The fields of a transaction that this library reads, as in JSON-RPC. */
export type WireTransaction = Pick<
  RpcTransaction<false>,
  'hash' | 'from' | 'to' | 'nonce' | 'value' | 'transactionIndex' | 'blockNumber'
>;

/** A block as in JSON-RPC, with whole transactions. */
export type WireBlock = Pick<RpcBlock<'latest'>, 'number' | 'hash' | 'timestamp' | 'gasLimit' | 'gasUsed'> & {
  baseFeePerGas: Hex;
  transactions: WireTransaction[];
};

/** A receipt as in JSON-RPC. */
export type WireReceipt = RpcTransactionReceipt;

/** The fields of a log that this library reads, as in JSON-RPC. */
export type WireLog = Pick<
  WireReceipt['logs'][number],
  'transactionHash' | 'transactionIndex' | 'blockNumber' | 'logIndex'
>;
