import type { ChainClient, RpcRequest } from '@maker/chain';
import { rpcRequestOf, tokensReceived } from '@maker/chain';
import { type Address, getAddress, type Hash, type Hex, type TransactionReceipt, toHex } from 'viem';
import { RecoveryError } from './recovery-error.ts';

const BLOCKS_AT_ONCE = 8;

/** A plain transfer of HYPE to a wallet. */
export interface IncomingTransfer {
  readonly from: Address;
  readonly amountWei: bigint;
  readonly transactionHash: Hash;
}

/** Transfers of one wallet in a range of blocks. Amounts in wei. */
export interface WalletTrace {
  readonly incoming: IncomingTransfer[];
  /** HYPE sent, by recipient. */
  readonly sent: Map<Address, bigint>;
  gasWei: bigint;
  /** Tokens that its own transactions transferred to it: the bought ones. */
  readonly tokens: Set<Address>;
}

/**
 * Reads every block of a range once for transfers of some wallets. No block lists money from a contract's call or from
 * HyperCore as a transfer: compare a trace with the balance.
 * @param wallets checksummed @param toBlock included
 * @param onBlocks called with the number of blocks read so far
 * @returns the trace of each wallet
 * @throws RecoveryError if the node does not have a block
 */
export async function traceWallets(
  client: ChainClient,
  wallets: readonly Address[],
  { fromBlock, toBlock }: { fromBlock: number; toBlock: number },
  onBlocks: (done: number) => void = () => undefined,
): Promise<ReadonlyMap<Address, WalletTrace>> {
  const request = rpcRequestOf(client);
  const traces = new Map(wallets.map((wallet) => [wallet, emptyTrace()]));
  const known = new Map(wallets.map((wallet) => [wallet.toLowerCase(), wallet]));
  for (let first = fromBlock; first <= toBlock; first += BLOCKS_AT_ONCE) {
    const numbers = Array.from({ length: Math.min(BLOCKS_AT_ONCE, toBlock - first + 1) }, (_, at) => first + at);
    for (const transactions of await Promise.all(numbers.map((number) => readTransactions(request, number)))) {
      for (const transaction of transactions) await record(client, traces, known, transaction);
    }
    onBlocks(Math.min(first + BLOCKS_AT_ONCE, toBlock + 1) - fromBlock);
  }
  return traces;
}

/** The fields of a JSON-RPC transaction that this module reads. */
interface WireTransaction {
  readonly hash: Hash;
  readonly from: string;
  readonly to: string | null;
  readonly value: Hex;
}

async function readTransactions(request: RpcRequest, number: number): Promise<readonly WireTransaction[]> {
  const block = (await request({ method: 'eth_getBlockByNumber', params: [toHex(number), true] })) as {
    readonly transactions: readonly WireTransaction[];
  } | null;
  if (!block) {
    throw new RecoveryError(`the node does not have block ${number}: use an archive node, or begin at a later block`);
  }
  return block.transactions;
}

async function record(
  client: ChainClient,
  traces: ReadonlyMap<Address, WalletTrace>,
  known: ReadonlyMap<string, Address>,
  { hash, from, to, value }: WireTransaction,
): Promise<void> {
  const sender = known.get(from);
  const recipient = to === null ? undefined : known.get(to);
  if (!sender && !recipient) return;
  const receipt = await client.getTransactionReceipt({ hash });
  const amountWei = receipt.status === 'success' ? BigInt(value) : 0n;
  const outgoing = sender && traces.get(sender);
  if (sender && outgoing) recordSent(outgoing, sender, receipt, amountWei);
  const incoming = recipient && traces.get(recipient);
  if (incoming && amountWei > 0n) incoming.incoming.push({ from: getAddress(from), amountWei, transactionHash: hash });
}

function recordSent(trace: WalletTrace, wallet: Address, receipt: TransactionReceipt, amountWei: bigint): void {
  trace.gasWei += receipt.gasUsed * receipt.effectiveGasPrice;
  if (receipt.to && amountWei > 0n) {
    const to = getAddress(receipt.to);
    trace.sent.set(to, (trace.sent.get(to) ?? 0n) + amountWei);
  }
  for (const token of new Set(receipt.logs.map(({ address }) => getAddress(address)))) {
    if (tokensReceived(receipt, token, wallet) > 0n) trace.tokens.add(token);
  }
}

function emptyTrace(): WalletTrace {
  return { incoming: [], sent: new Map(), gasWei: 0n, tokens: new Set() };
}
