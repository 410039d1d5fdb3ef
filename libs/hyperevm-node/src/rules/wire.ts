import type { Hex } from 'viem';

/** A transaction as JSON-RPC writes it; only what is read here is named. */
export interface WireTransaction {
  hash: Hex;
  from: Hex;
  to: Hex | null;
  nonce: Hex;
  value: Hex;
  gasPrice: Hex;
  transactionIndex: Hex;
  blockNumber: Hex;
}

/** A block as JSON-RPC writes it, with whole transactions. */
export interface WireBlock {
  number: Hex;
  hash: Hex;
  timestamp: Hex;
  baseFeePerGas: Hex;
  gasLimit: Hex;
  gasUsed: Hex;
  transactions: WireTransaction[];
}

/** A log as JSON-RPC writes it. */
export interface WireLog {
  transactionHash: Hex;
  blockNumber: Hex;
  transactionIndex: Hex;
  logIndex: Hex;
}

/** A receipt as JSON-RPC writes it. */
export interface WireReceipt {
  transactionHash: Hex;
  blockNumber: Hex;
  transactionIndex: Hex;
  status: Hex;
  gasUsed: Hex;
  cumulativeGasUsed: Hex;
  effectiveGasPrice: Hex;
  logs: WireLog[];
}
