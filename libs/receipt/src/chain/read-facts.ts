import { EXCHANGES, type Exchange } from '@maker/chain/venues';
import {
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  type Hash,
  type PublicClient,
  parseAbi,
  parseAbiItem,
  TransactionNotFoundError,
} from 'viem';
import type { SignedReceipt } from '../file/receipt-file.ts';
import { missingTokens } from '../file/sums.ts';
import type { ChainFacts, TransactionFact } from './chain-facts.ts';
import { readPools } from './read-pools.ts';

const transferEvent = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)');

const tokenAbi = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function decimals() view returns (uint8)',
]);

/** Requests that are open at once; an endpoint's limit is kept by the client's transport. */
const OPEN_REQUESTS = 8;

/** Blocks that endpoints search for events at once. Source: hyperevm § 1. */
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

/** Exchanges of a chain that this build knows; none of a chain whose contracts each start deploys anew. */
export function knownVenues(chainId: number): readonly Exchange[] {
  return EXCHANGES[chainId] ?? [];
}

/**
 * Reads all that a receipt is judged by: transactions, receipts and blocks by what it names, the pools of its orders, and the wallet's
 * newest state. Asks for no past state, which HyperEVM's endpoints do not give, and for events only where tokens are missing, since endpoints
 * search few blocks at once. Source: hyperevm § 1.
 * @param progress told of each transaction that was read, with the number of all
 * @param venues exchanges that are believed to be such; those of this build unless the caller knows others
 * @throws what the client throws where the endpoint does not answer
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
  // On another chain there is nothing to look for.
  const transactions: ReadonlyMap<Hash, TransactionFact> =
    chainId === receipt.chainId ? await readTransactions(client, blocks, receipt, progress) : new Map();
  const orders = receipt.orders.flatMap(({ transactionHash }) => transactions.get(transactionHash) ?? []);
  const pools = await readPools(client, orders, venues);
  // Read after the transactions: what the wallet sends meanwhile shows in its nonce.
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
    // Null for a block that holds none of the transactions.
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

/** Each block is asked for once, and only those that hold a transaction of the receipt. */
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
  // Signed and known, and in no block.
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
    blockSeconds: Number(timestamp),
    succeeded: receipt.status === 'success',
    gasWei: receipt.gasUsed * receipt.effectiveGasPrice,
    gasPriceWei: receipt.effectiveGasPrice,
    logs: receipt.logs.map(({ address, topics, data }) => ({ address: lower(address), topics, data })),
  };
}

/** Everything that left the wallet since its first order, as the token tells. */
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

/** @returns null where the contract has no answer @throws where the endpoint has none */
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

function lower(address: Address): Address {
  return address.toLowerCase() as Address;
}
