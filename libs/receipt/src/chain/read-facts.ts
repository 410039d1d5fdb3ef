import { EXCHANGES, type Exchange } from '@maker/chain/venues';
import {
  BaseError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  type Hash,
  type PublicClient,
  parseAbi,
  parseAbiItem,
  TransactionNotFoundError,
} from 'viem';
import { lower } from '../file/lower.ts';
import type { SignedReceipt } from '../file/receipt-file.ts';
import { missingTokens } from '../file/sums.ts';
import type { ChainFacts, TransactionFact } from './chain-facts.ts';
import { readPools } from './read-pools.ts';

const transferEvent = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)');

const tokenAbi = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function decimals() view returns (uint8)',
]);

/** Requests in flight. The client's transport keeps the endpoint's rate limit. */
const OPEN_REQUESTS = 8;

/** Blocks that endpoints search for events in one request. Source: hyperevm § 1. */
const BLOCKS_OF_LOGS = 50;

export type FactsClient = Pick<
  PublicClient,
  | 'call'
  | 'getChainId'
  | 'getCode'
  | 'getTransactionCount'
  | 'getBalance'
  | 'getBlock'
  | 'getBlockNumber'
  | 'getLogs'
  | 'getTransaction'
  | 'getTransactionReceipt'
  | 'readContract'
>;

/** Exchanges of a chain in this build; none for a local chain, which deploys its contracts at each start. */
export function knownVenues(chainId: number): readonly Exchange[] {
  return EXCHANGES[chainId] ?? [];
}

/**
 * Reads the facts that decide a receipt: its transactions with their receipts and blocks, the pools of its orders, and the wallet's newest
 * state. It reads no past state, which HyperEVM's endpoints do not have. It reads events only if tokens are missing, because endpoints
 * search few blocks in one request. Source: hyperevm § 1.
 * @param progress called after each transaction, with the number read and the number of all
 * @param venues trusted exchanges; by default those of this build
 * @throws the client's error if the endpoint does not answer
 */
export async function readFacts(
  client: FactsClient,
  receipt: SignedReceipt,
  progress: (read: number, all: number) => void = () => {},
  venues: readonly Exchange[] = knownVenues(receipt.chainId),
): Promise<ChainFacts> {
  const { wallet, token, asOf } = receipt;
  const chainId = await client.getChainId();
  const blocks: Blocks = new Map();
  // Another chain does not have the receipt's transactions.
  const transactions: ReadonlyMap<Hash, TransactionFact> =
    chainId === receipt.chainId ? await readTransactions(client, blocks, receipt, progress) : new Map();
  const orders = receipt.orders.flatMap(({ transactionHash }) => transactions.get(transactionHash) ?? []);
  const pools = await readPools(client, orders, venues);
  // Read after the transactions, so that the nonce shows transactions that the wallet sends meanwhile.
  const [code, nonce, balanceWei, tokens, decimals] = await Promise.all([
    client.getCode({ address: wallet }),
    client.getTransactionCount({ address: wallet, blockTag: 'latest' }),
    client.getBalance({ address: wallet }),
    unlessRefused(
      client.readContract({ address: token.address, abi: tokenAbi, functionName: 'balanceOf', args: [wallet] }),
    ),
    unlessRefused(client.readContract({ address: token.address, abi: tokenAbi, functionName: 'decimals' })),
  ]);
  return {
    chainId,
    // Null if none of the transactions is in that block.
    asOfBlockHash: asOf === null ? null : ((await blocks.get(asOf.blockNumber))?.hash ?? null),
    wallet: {
      hasCode: code !== undefined,
      nonce,
      balanceWei,
      tokens,
      movedOut: missingTokens(receipt.sums, tokens) > 0n ? await readMovedOut(client, receipt) : [],
    },
    tokenDecimals: decimals,
    venues,
    pools,
    transactions,
  };
}

/** Blocks that hold a transaction of the receipt; each is requested once. */
type Blocks = Map<number, Promise<{ readonly hash: Hash; readonly timestamp: bigint }>>;

function blockAt(client: FactsClient, blocks: Blocks, blockNumber: number) {
  const block = blocks.get(blockNumber) ?? client.getBlock({ blockNumber: BigInt(blockNumber) });
  blocks.set(blockNumber, block);
  return block;
}

async function readTransactions(
  client: FactsClient,
  blocks: Blocks,
  receipt: SignedReceipt,
  progress: (read: number, all: number) => void,
): Promise<ReadonlyMap<Hash, TransactionFact>> {
  const named = [...receipt.deposits, ...receipt.transfers, ...receipt.orders].map(
    ({ transactionHash }) => transactionHash,
  );
  const hashes = [...new Set(named.filter((hash) => hash !== null))];
  const found = new Map<Hash, TransactionFact>();
  const waiting = hashes.values();
  let read = 0;
  const work = async () => {
    for (const hash of waiting) {
      const fact = await readTransaction(client, blocks, hash);
      if (fact) found.set(hash, fact);
      read += 1;
      progress(read, hashes.length);
    }
  };
  await Promise.all(Array.from({ length: OPEN_REQUESTS }, work));
  return found;
}

async function readTransaction(client: FactsClient, blocks: Blocks, hash: Hash): Promise<TransactionFact | undefined> {
  const transaction = await client.getTransaction({ hash }).catch((error: unknown) => {
    if (error instanceof TransactionNotFoundError) return undefined;
    throw error;
  });
  // The endpoint knows the transaction, but it is in no block.
  if (!transaction || transaction.blockNumber === null) return undefined;
  const receipt = await client.getTransactionReceipt({ hash });
  const { timestamp } = await blockAt(client, blocks, Number(receipt.blockNumber));
  return {
    hash,
    from: lower(transaction.from),
    to: transaction.to === null ? null : lower(transaction.to),
    nonce: transaction.nonce,
    valueWei: transaction.value,
    input: transaction.input,
    blockNumber: Number(receipt.blockNumber),
    transactionIndex: receipt.transactionIndex,
    blockSeconds: Number(timestamp),
    succeeded: receipt.status === 'success',
    gasWei: receipt.gasUsed * receipt.effectiveGasPrice,
    gasPriceWei: receipt.effectiveGasPrice,
    logs: receipt.logs.map(({ address, topics, data }) => ({ address: lower(address), topics, data })),
  };
}

/** Transfers of the token out of the wallet since its first order, by the token's events. */
async function readMovedOut(client: FactsClient, { orders, token, wallet }: SignedReceipt) {
  const found: { transactionHash: Hash; amount: bigint }[] = [];
  const [first] = orders;
  if (!first) return found;
  const newest = Number(await client.getBlockNumber());
  const starts = range(first.blockNumber, newest + 1, BLOCKS_OF_LOGS).values();
  const work = async () => {
    for (const start of starts) {
      const logs = await client.getLogs({
        address: token.address,
        event: transferEvent,
        args: { from: wallet },
        fromBlock: BigInt(start),
        toBlock: BigInt(Math.min(start + BLOCKS_OF_LOGS - 1, newest)),
        strict: true,
      });
      found.push(...logs.map(({ transactionHash, args }) => ({ transactionHash, amount: args.value })));
    }
  };
  await Promise.all(Array.from({ length: OPEN_REQUESTS }, work));
  return found;
}

function range(start: number, end: number, step: number): number[] {
  return Array.from({ length: Math.ceil((end - start) / step) }, (_, index) => start + index * step);
}

/** @returns null if the contract reverts or returns nothing @throws if the endpoint fails */
async function unlessRefused<Value>(answer: Promise<Value>): Promise<Value | null> {
  try {
    return await answer;
  } catch (error) {
    const refused = (cause: unknown) =>
      cause instanceof ContractFunctionRevertedError || cause instanceof ContractFunctionZeroDataError;
    if (error instanceof BaseError && error.walk(refused)) return null;
    throw error;
  }
}
