import { isDust } from '@maker/rules';
import { type Address, toHex } from 'viem';
import type { EndpointHost } from '../endpoints/endpoint-pool.ts';
import { meaningOf } from '../error-meaning.ts';
import { readPointer } from './known-chain.ts';
import type { RpcRequest } from './rpc-request.ts';
import { type ProofOptions, proveTransfers } from './signed-transfer.ts';
import { keepSuccessful } from './successful-transfers.ts';
import { transferIn } from './transfer-in.ts';
import type { EarlierTransfer, ReadSearchedBlock, SearchedBlock } from './transfer-search.ts';
import { pointerOf, readBlock, type WireBlock, type WireTransaction } from './wire-block.ts';

/**
 * Reads a block's plain transfers, for a {@link TransferSearch}. Leaves out dust: its sender is not needed.
 * @param proof settings for the proof of senders; the last try leaves out a transfer that no host proves
 */
export function earlierTransfers(request: RpcRequest, proof: ProofOptions = {}): ReadSearchedBlock {
  return async (number) => {
    const block = await readBlock(request, number);
    if (!block) return undefined;
    const recipients = new Set(payments(block).map(({ to }) => to));
    // A block with a payment is read again: keeping all of its calldata would take too much memory.
    const transfersTo = async (
      address: Address,
      isLastTry: boolean,
    ): Promise<readonly EarlierTransfer[] | undefined> => {
      const there = await readBlock(request, number);
      if (there?.hash !== block.hash) return undefined;
      const candidates = payments(there).filter(({ to }) => to === address);
      const transfers = await keepSuccessful(request, candidates, there);
      if (!transfers) return undefined;
      const { proven, unproven } = await proveTransfers(transfers, there, proof);
      // A host that could prove it may not answer at the moment.
      if (unproven.length > 0 && !isLastTry) return undefined;
      return proven.map((transfer) => ({ ...transfer, block: pointerOf(there) }));
    };
    return { timestampMs: pointerOf(block).timestampMs, recipients, transfersTo };
  };
}

/** Hosts that a search asks about each block. */
export interface AskedHosts {
  /** Those that may be asked now. */
  readonly hosts: () => readonly EndpointHost[];
  /** Number of hosts that must answer about a block: one host alone may leave out a transaction. */
  readonly enough: number;
  readonly chainId: number;
}

/** Reads a block's plain transfers from each host, for a {@link TransferSearch}: what one host leaves out, another one shows. */
export function transfersOnAnyHost({ hosts, enough, chainId }: AskedHosts): ReadSearchedBlock {
  return async (number) => {
    const asked = hosts();
    const answers = await Promise.allSettled(
      asked.map((host) => earlierTransfers((call) => host.request(call, 'background'), { chainId, hosts })(number)),
    );
    const shown = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    if (shown.length < enough) return 'unanswered';
    const blocks = shown.filter((block): block is SearchedBlock => typeof block === 'object');
    if (blocks.length < enough) return undefined;
    const recipients = new Set(blocks.flatMap((block) => [...block.recipients]));
    const transfersTo = async (address: Address, isLastTry: boolean) => {
      const holding = blocks.filter((block) => block.recipients.has(address));
      const found = await Promise.all(
        holding.map((block) => block.transfersTo(address, isLastTry).catch(() => 'unanswered' as const)),
      );
      const transfers = found.flatMap((some) => (typeof some === 'object' ? some : []));
      if (transfers.length > 0) return [...new Map(transfers.map((one) => [one.transactionHash, one])).values()];
      if (found.includes('unanswered')) return 'unanswered';
      return found.includes(undefined) ? undefined : [];
    };
    return { timestampMs: Math.max(...blocks.map(({ timestampMs = 0 }) => timestampMs)), recipients, transfersTo };
  };
}

function payments(block: WireBlock) {
  return block.transactions
    .flatMap((transaction) => transferIn(transaction) ?? [])
    .filter(({ amountWei }) => !isDust(amountWei));
}

/**
 * Reads a block's system transactions, for a {@link TransferSearch}, by `eth_getSystemTxsByBlockNumber`. They show HYPE from HyperCore
 * where nodes leave them out of the blocks. Source: hyperevm § 1.1.
 */
export function systemTransfers(request: RpcRequest): ReadSearchedBlock {
  return async (number) => {
    const transactions = await systemTransactions(request, number);
    if (!transactions || transactions === 'end') return transactions;
    const transfers = transactions.flatMap((transaction) => transferIn(transaction) ?? []);
    const transfersTo = async (address: Address): Promise<readonly EarlierTransfer[] | undefined> => {
      const block = await readPointer(request, number);
      if (!block) return undefined;
      return transfers.filter(({ to }) => to === address).map((transfer) => ({ ...transfer, from: null, block }));
    };
    return { recipients: new Set(transfers.map(({ to }) => to)), transfersTo };
  };
}

/** @returns 'end' where the node does not know the method, undefined where it does not know the block yet */
async function systemTransactions(
  request: RpcRequest,
  number: number,
): Promise<readonly WireTransaction[] | 'end' | undefined> {
  try {
    const call = { method: 'eth_getSystemTxsByBlockNumber', params: [toHex(number)] } as const;
    return ((await request(call)) as readonly WireTransaction[] | null) ?? undefined;
  } catch (error) {
    const meaning = meaningOf(error);
    if (meaning === 'not_there') return undefined;
    if (meaning === 'unsupported' || meaning === 'refused') return 'end';
    throw error;
  }
}
