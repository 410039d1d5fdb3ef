import type { Execution } from '../execution/execution.ts';
import { BLOCK_GAS, type BlockKind, kindOfBlock } from '../rules/block-schedule.ts';
import { SYSTEM_ADDRESS, type SystemTransactions } from '../rules/system-transactions.ts';
import type { WireBlock, WireReceipt } from '../rules/wire.ts';

/** The facts that the node keeps about a block. */
export interface BlockRecord {
  number: number;
  hash: string;
  kind: BlockKind;
  /** Seconds. */
  timestamp: number;
  baseFeeWei: bigint;
  /** Without the gas of system transactions. */
  gasUsed: bigint;
  gasLimit: bigint;
  system: SystemTransactions | undefined;
  /** When the node produced it or first read it; the machine's milliseconds. */
  seenAtMs: number;
}

/**
 * Builds the record of a block.
 * @param block with whole transactions
 * @param kind needed where system transactions raised the gas limit, which otherwise shows the kind
 */
export async function recordOf(
  execution: Execution,
  block: WireBlock,
  at: { seenAtMs: number; kind?: BlockKind },
): Promise<BlockRecord> {
  const system = await systemTransactions(execution, block);
  const kind = at.kind ?? kindOfBlock(BigInt(block.gasLimit));
  return {
    number: Number(block.number),
    hash: block.hash,
    kind,
    timestamp: Number(block.timestamp),
    baseFeeWei: BigInt(block.baseFeePerGas),
    gasUsed: BigInt(block.gasUsed) - (system?.gasUsed ?? 0n),
    gasLimit: system ? BLOCK_GAS[kind] : BigInt(block.gasLimit),
    system,
    seenAtMs: at.seenAtMs,
  };
}

async function systemTransactions(execution: Execution, block: WireBlock): Promise<SystemTransactions | undefined> {
  const hashes = block.transactions.filter(({ from }) => from === SYSTEM_ADDRESS).map(({ hash }) => hash);
  if (hashes.length === 0) return undefined;
  const receipts = await execution.ask<WireReceipt[]>('eth_getBlockReceipts', block.number);
  const own = receipts.filter(({ transactionHash }) => hashes.includes(transactionHash));
  return {
    hashes,
    gasUsed: own.reduce((sum, { gasUsed }) => sum + BigInt(gasUsed), 0n),
    logs: own.reduce((sum, { logs }) => sum + logs.length, 0),
  };
}
