import type { Hex, RpcBlock, RpcTransaction, RpcTransactionReceipt } from 'viem';

/** A transaction of a block as JSON-RPC writes it; only what is read here is named. */
export type WireTransaction = Pick<
  RpcTransaction<false>,
  'hash' | 'from' | 'to' | 'nonce' | 'value' | 'transactionIndex' | 'blockNumber'
>;

/** A block as JSON-RPC writes it, with whole transactions. */
export type WireBlock = Pick<RpcBlock<'latest'>, 'number' | 'hash' | 'timestamp' | 'gasLimit' | 'gasUsed'> & {
  baseFeePerGas: Hex;
  transactions: WireTransaction[];
};

/** A receipt as JSON-RPC writes it. */
export type WireReceipt = RpcTransactionReceipt;

/** A log as JSON-RPC writes it; only what is read here is named. */
export type WireLog = Pick<
  WireReceipt['logs'][number],
  'transactionHash' | 'transactionIndex' | 'blockNumber' | 'logIndex'
>;
